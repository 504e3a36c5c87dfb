// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { AppRouter } from '@parley/server/router';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startEnglish } from '../start-english.ts';
import { RevokeKeys } from '../../../../web/src/settings/keys/revoke-keys.tsx';
import { Toasts } from '../../../../web/src/ui/toast/toasts.tsx';
import { trpc } from '../../../../web/src/trpc.ts';

beforeAll(startEnglish);
afterEach(cleanup);

/** A server that does what it is asked, or does not answer. Gives what it was asked. */
function open({ answers }: { answers: boolean }) {
  const asked: string[] = [];
  const link: TRPCLink<AppRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        asked.push(op.path);
        if (!answers) return observer.error(new TRPCClientError('No answer'));
        observer.next({ result: { type: 'data', data: null } });
        observer.complete();
      });
  const queryClient = new QueryClient();
  render(
    <trpc.Provider client={trpc.createClient({ links: [link] })} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider>
          <RevokeKeys />
          <Toasts />
        </MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  );
  return { asked, queryClient };
}

test('every key is revoked at the second click, and the page is updated', async () => {
  const { asked, queryClient } = open({ answers: true });
  fireEvent.click(screen.getByTestId('revoke-keys-initial'));
  expect(asked).toEqual([]);
  fireEvent.click(screen.getByTestId('revoke-keys-confirm'));
  await screen.findByText('All your keys are removed.');
  expect(asked).toEqual(['keys.removeAll']);
  expect(queryClient.getQueriesData({ queryKey: [['keys', 'list']] }).map(([, data]) => data)).toEqual([[]]);
  await screen.findByTestId('revoke-keys-initial');
});

test('a failure is shown, and the button is enabled again', async () => {
  const { queryClient } = open({ answers: false });
  fireEvent.click(screen.getByTestId('revoke-keys-initial'));
  fireEvent.click(screen.getByTestId('revoke-keys-confirm'));
  await screen.findByText('The keys could not be removed. Please try again.');
  expect(queryClient.getQueriesData({ queryKey: [['keys', 'list']] })).toEqual([]);
  await screen.findByTestId('revoke-keys-initial');
});
