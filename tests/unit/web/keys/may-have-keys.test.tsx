// @vitest-environment happy-dom
import type { AppRouter } from '@parley/server/router';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { useMayHaveKeys } from '../../../../web/src/keys/use-may-have-keys.ts';
import { trpc } from '../../../../web/src/trpc.ts';

afterEach(cleanup);

/** The hook in front of a server with these endpoints and keys; returns what was asked. */
function open(answers: Record<string, unknown>) {
  const told: string[] = [];
  const link: TRPCLink<AppRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        observer.next({ result: { type: 'data', data: answers[op.path] } });
        observer.complete();
        told.push(op.path);
      });
  const queryClient = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <trpc.Provider client={trpc.createClient({ links: [link] })} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </trpc.Provider>
  );
  return { told, ...renderHook(useMayHaveKeys, { wrapper }) };
}

const ofServer = { openAI: { userProvide: false } };
const ofUsers = { openAI: { userProvide: false }, anthropic: { userProvide: true } };

test('there are no keys where no endpoint takes them and nothing is saved', async () => {
  const { told, result } = open({ 'endpoints.list': ofServer, 'keys.hasAny': false });
  await waitFor(() => expect(told).toContain('keys.hasAny'));
  expect(result.current).toBe(false);
});

test('keys can be there where an endpoint takes them', async () => {
  const { result } = open({ 'endpoints.list': ofUsers, 'keys.hasAny': false });
  await waitFor(() => expect(result.current).toBe(true));
});

test('saved keys can be revoked even if no endpoint takes keys', async () => {
  const { result } = open({ 'endpoints.list': ofServer, 'keys.hasAny': true });
  await waitFor(() => expect(result.current).toBe(true));
});
