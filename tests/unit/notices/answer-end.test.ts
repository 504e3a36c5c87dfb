import type { Message } from '@parley/schema/messages/messages';
import { noticeKind } from '@parley/server/notices/answer-end';
import { expect, it } from 'vitest';

const call = (state: string) => ({ type: 'tool_call', call: { id: '0:0', name: 'mail', state } });
const reply = (over: object) => ({ parts: [], reason: null, finishReason: 'stop', ...over }) as unknown as Message;

it.each([
  [{}, 'ready'],
  [{ parts: [call('done')] }, 'ready'],
  [{ parts: [call('done'), call('waiting')], finishReason: 'tool_calls' }, 'waiting'],
  [{ finishReason: 'length' }, 'ready'],
  [{ finishReason: 'incomplete' }, null],
  [{ finishReason: 'incomplete', reason: { type: 'interrupted' } }, 'failed'],
])('an answer that ends as %j is told as %s', (over, kind) => {
  expect(noticeKind(reply(over))).toBe(kind);
});
