// @vitest-environment happy-dom
// What the keys for the last answer and its last code copy.
import { createStore } from 'jotai';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '@parley/schema/messages/messages';
import { chooseBranchesAtom } from '../../../../web/src/chat/cache/branches.ts';
import { EMPTY_THREAD, withMessages } from '../../../../web/src/chat/cache/stored-thread.ts';
import { threadKey } from '../../../../web/src/chat/cache/thread-query.ts';
import { putExchange, showReply } from '../../../../web/src/chat/exchanges/exchange.ts';
import { copyLastAnswer, copyLastCode } from '../../../../web/src/chat/message-copy/copy-last.ts';
import { lastCode } from '../../../../web/src/chat/message-copy/last-code.ts';
import { FIRST_SLOT, slotAtom } from '../../../../web/src/slots/slot.ts';
import { queryClient } from '../../../../web/src/trpc.ts';
import { message } from '../chat/people.ts';

const writeText = vi.fn<(text: string) => Promise<void>>(async () => {});
vi.stubGlobal('PerformanceNavigationTiming', class {});
Reflect.deleteProperty(window, 'ClipboardItem');
Object.defineProperty(navigator, 'clipboard', { value: { writeText } });

beforeEach(() => {
  writeText.mockClear();
  queryClient.clear();
});

function chatOf(messages: Message[]) {
  const store = createStore();
  store.set(slotAtom(FIRST_SLOT), { conversationId: 'lisbon', isNewChat: false, choice: null });
  queryClient.setQueryData(threadKey('lisbon'), withMessages(EMPTY_THREAD, messages));
  return store;
}

const text = (said: string) => ({ parts: [{ type: 'text' as const, text: said }] });
const asked = message('q', 1, { isCreatedByUser: true, ...text('Why?') });
const first = message('a', 2, { parentMessageId: 'q', ...text('One\n\n```js\nlet a;\n```\n\n```sh\nls\n```\nend') });
const second = message('b', 3, { parentMessageId: 'q', ...text('Two') });

test('the last answer of the branch on screen is copied', async () => {
  const store = chatOf([asked, first, second]);
  expect(await copyLastAnswer(store)).toBe(true);
  expect(writeText).toHaveBeenLastCalledWith('Two');
  expect(await copyLastCode(store)).toBe(false);
  store.set(chooseBranchesAtom, 'lisbon', { q: 'a' });
  expect(await copyLastCode(store)).toBe(true);
  expect(writeText).toHaveBeenLastCalledWith('ls');
});

test('an answer that is being written is copied as far as it has come', async () => {
  const store = chatOf([asked, first]);
  const request = message('q2', 4, { parentMessageId: 'a', isCreatedByUser: true, ...text('And?') });
  const reply = message('r', 5, { parentMessageId: 'q2', generationId: 'g' });
  putExchange(store, { generationId: 'g', conversationId: 'lisbon', status: 'streaming', request, reply });
  await copyLastCode(store);
  expect(writeText).toHaveBeenLastCalledWith('ls');
  showReply(store, 'g', { ...reply, ...text('So far') });
  await copyLastAnswer(store);
  expect(writeText).toHaveBeenLastCalledWith('So far');
});

test('nothing is copied without an answer', async () => {
  expect(await copyLastAnswer(chatOf([asked]))).toBe(false);
  expect(writeText).not.toHaveBeenCalled();
});

test('code is found within lists and quotes, and while it is written', () => {
  expect(lastCode('- step:\n\n  ```py\n  if x:\n    y\n  ```')).toBe('if x:\n  y');
  expect(lastCode('> ~~~\n> a\n> ~~~')).toBe('a');
  expect(lastCode('1. ```\n   a\n   ```')).toBe('a');
  expect(lastCode('````md\n```\nin\n```\n````\ntext')).toBe('```\nin\n```');
  expect(lastCode('```\nopen\n')).toBe('open\n');
  expect(lastCode('``` `no` ```\ntext')).toBeNull();
});
