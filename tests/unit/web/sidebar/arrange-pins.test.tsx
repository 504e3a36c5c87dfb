// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { observable } from '@trpc/server/observable';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { useArrangePins } from '../../../../web/src/convos/actions/use-arrange-pins.ts';
import { trpc } from '../../../../web/src/trpc.ts';
import { startEnglish } from '../start-english.ts';
import { convoOf } from './convos.ts';

beforeAll(startEnglish);
afterEach(cleanup);

test('an order of pins is sent once the one before it has arrived', async () => {
  const sent: unknown[] = [];
  const arrive: (() => void)[] = [];
  const client = trpc.createClient({
    links: [
      () =>
        ({ op }) =>
          observable((observer) => {
            sent.push(op.input);
            arrive.push(() => {
              observer.next({ result: { type: 'data', data: null } });
              observer.complete();
            });
          }),
    ],
  });
  const queryClient = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </trpc.Provider>
  );
  const pins = ['a', 'b', 'c'].map((conversationId) => convoOf(conversationId, 1, { isPinned: true }));
  const { result } = renderHook(() => ({ arrange: useArrangePins(), utils: trpc.useUtils() }), { wrapper });
  result.current.utils.convos.pinned.setData(undefined, pins);
  const [a, , c] = pins;
  if (!a || !c) throw new Error('There are three');
  act(() => {
    result.current.arrange(a, 1);
    result.current.arrange(c, 0);
  });
  await waitFor(() => expect(sent).toEqual([{ conversationIds: ['b', 'a', 'c'] }]));
  act(() => arrive[0]?.());
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ conversationIds: ['c', 'b', 'a'] });
});
