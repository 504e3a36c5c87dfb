// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { Folder } from '@parley/schema/convos/folders';
import type { AppRouter } from '@parley/server/router';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { LoadedConvoList } from '../../../../web/src/app/sidebar/loaded-convo-list.tsx';
import { startEnglish } from '../start-english.ts';
import { trpc } from '../../../../web/src/trpc.ts';

beforeAll(startEnglish);
afterEach(cleanup);

const EMPTY = 'Your chats will appear here.';

/** The list of a person without conversations. The answer about folders comes when it is sent. */
function open() {
  let sendFolders: ((folders: Folder[]) => void) | undefined;
  const answers: Record<string, unknown> = { 'convos.list': { convos: [], nextCursor: null }, 'convos.pinned': [] };
  const link: TRPCLink<AppRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        const send = (data: unknown) => {
          observer.next({ result: { type: 'data', data } });
          observer.complete();
        };
        if (op.path === 'folders.list') sendFolders = send;
        else if (op.path in answers) send(answers[op.path]);
      });
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container } = render(
    <trpc.Provider client={trpc.createClient({ links: [link] })} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider>
          <LoadedConvoList />
        </MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  );
  return {
    list: () => container.querySelector('[aria-busy]'),
    sendFolders: (folders: Folder[]) => sendFolders?.(folders),
  };
}

test('a list is not called empty before it is known whether there are folders', async () => {
  const { list, sendFolders } = open();
  await expect.poll(() => list()?.getAttribute('aria-busy')).toBe('false');
  expect(screen.queryByText(EMPTY)).toBeNull();
  sendFolders([]);
  await screen.findByText(EMPTY);
});

test('a list with a folder and nothing else is not called empty', async () => {
  const { list, sendFolders } = open();
  await expect.poll(() => list()?.getAttribute('aria-busy')).toBe('false');
  sendFolders([
    {
      id: '5f0f2f0e-6d0b-4b0e-9d0e-000000000001',
      name: 'Birds',
      color: null,
      instructions: '',
      presetId: null,
      fileIds: [],
      setIds: [],
      tools: [],
    },
  ]);
  await screen.findByText('Birds');
  expect(screen.queryByText(EMPTY)).toBeNull();
});
