// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { AppRouter } from '@parley/server/router';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { createStore, Provider } from 'jotai';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { finishedReplyAtom } from '../../../../web/src/chat/finished.ts';
import { FinishedAnnouncer } from '../../../../web/src/chat/finished-announcer.tsx';
import { startEnglish } from '../start-english.ts';
import { trpc } from '../../../../web/src/trpc.ts';
import { message } from './people.ts';

const queryClient = new QueryClient();
/** What the server offers stays unknown. */
const unanswered: TRPCLink<AppRouter> = () => () => observable(() => undefined);

beforeAll(startEnglish);
afterEach(cleanup);

test('an answer of words or pictures is announced once when it ends, waits or is stopped, and the same text again', async () => {
  const store = createStore();
  render(
    <trpc.Provider client={trpc.createClient({ links: [unanswered] })} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider>
          <Provider store={store}>
            <FinishedAnnouncer />
          </Provider>
        </MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  );
  const status = screen.getByRole('status');
  const said: string[] = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) said.push(node.textContent ?? '');
  }).observe(status, { childList: true, subtree: true, characterData: true });
  const reply = message('answer', 2, { parts: [{ type: 'text', text: 'Walk up.' }], generationId: 'first' });
  const show = (next: typeof reply) => act(async () => store.set(finishedReplyAtom, next));

  await show(reply);
  await show({ ...reply });
  expect(said).toEqual(['Answer finished: Walk up.']);
  await show({ ...reply, generationId: 'second' });
  expect(said).toEqual(['Answer finished: Walk up.', 'Answer finished: Walk up.']);
  await show({ ...reply, generationId: 'stopped', finishReason: 'incomplete' });
  expect(said.at(-1)).toBe('Answer stopped: Walk up.');
  const image = { type: 'image', fileId: 'fox', path: '/fox.png', width: 10, height: 10 } as const;
  await show({ ...reply, generationId: 'drawn', parts: [image, { ...image, fileId: 'owl' }] });
  expect(said.at(-1)).toBe('Answer finished: 2 images');
  const facts = { id: '1:1', step: 1, kind: 'function', name: 'mail', input: '{}', output: null, progress: 0 } as const;
  const call = { ...facts, state: 'waiting', needs: 'approval' } as const;
  await show({ ...reply, generationId: 'waiting', parts: [{ type: 'tool_call', call }] });
  expect(said.at(-1)).toBe('The answer waits for you');
  await show({ ...reply, generationId: 'third', reason: { type: 'provider_broke_off' } });
  expect(said.at(-1)).toMatch(/What had arrived was kept/);
  await show({ ...reply, generationId: 'fourth', parts: [], reason: { type: 'provider_broke_off' } });
  expect(said.at(-1)).toBe('The provider broke off before any of the answer arrived. You can try again.');
});
