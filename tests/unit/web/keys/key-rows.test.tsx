// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { AppRouter } from '@parley/server/router';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, test } from 'vitest';
import { startEnglish } from '../start-english.ts';
import { KeyRows } from '../../../../web/src/settings/keys/key-rows.tsx';
import { trpc } from '../../../../web/src/trpc.ts';

beforeAll(startEnglish);
afterEach(cleanup);

const answers: Record<string, unknown> = {
  'endpoints.list': {
    openAI: { userProvide: true, order: 0 },
    anthropic: { userProvide: true, order: 1 },
    google: { userProvide: true, order: 2 },
  },
  'keys.list': [
    { name: 'openAI', expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
    { name: 'google', expiresAt: new Date(Date.now() - 3_600_000).toISOString() },
  ],
  'keys.uses': { openAI: new Date(Date.now() - 60_000).toISOString() },
};

function open(): void {
  const link: TRPCLink<AppRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        observer.next({ result: { type: 'data', data: answers[op.path] } });
        observer.complete();
      });
  render(
    <trpc.Provider client={trpc.createClient({ links: [link] })} queryClient={new QueryClient()}>
      <QueryClientProvider client={new QueryClient()}>
        <MantineProvider>
          <KeyRows />
        </MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  );
}

test('the button of each key names its provider, and says whether there is a key to change', async () => {
  open();
  await screen.findByRole('button', { name: 'Change API key OpenAI' });
  await screen.findByRole('button', { name: 'Set API key Anthropic' });
  await screen.findByRole('button', { name: 'Set API key Google' });
  await screen.findByText(/Last used 1 minute ago\.$/);
});
