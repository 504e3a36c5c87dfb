import type { LoopCall, Message, MessagePart } from '@parley/schema/messages/messages';
import type { NoticeKind } from '@parley/schema/notices/notices';
import { noticeKind } from '@parley/server/notices/answer-end';
import { expect, it } from 'vitest';

type Answer = Pick<Message, 'parts' | 'reason' | 'finishReason'>;

const facts = { id: '0:0', kind: 'function', name: 'mail', input: '', output: null, progress: 0, step: 0 } as const;
const part = (call: LoopCall): MessagePart => ({ type: 'tool_call', call });
const done = part({ ...facts, state: 'done' });
const waiting = part({ ...facts, state: 'waiting', needs: 'approval' });

it.each<[over: Partial<Answer>, kind: NoticeKind | null]>([
  [{}, 'ready'],
  [{ parts: [done] }, 'ready'],
  [{ parts: [done, waiting], finishReason: 'tool_calls' }, 'waiting'],
  [{ finishReason: 'length' }, 'ready'],
  [{ finishReason: 'incomplete' }, null],
  [{ finishReason: 'incomplete', reason: { type: 'interrupted' } }, 'failed'],
])('an answer that ends as %j is told as %s', (over, kind) => {
  expect(noticeKind({ parts: [], reason: null, finishReason: 'stop', ...over })).toBe(kind);
});
