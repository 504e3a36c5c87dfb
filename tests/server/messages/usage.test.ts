import type { MessagePart } from '@parley/schema/messages';
import { usedBy } from '@parley/server/messages/usage';
import { describe, expect, it } from 'vitest';
import { emptyReply } from '../../contracts/generation-events.ts';

const parts: MessagePart[] = [
  { type: 'reasoning', text: 'Let me see' },
  {
    type: 'tool_call',
    call: { id: 'a', kind: 'function', name: 'look', input: '{"at":"it"}', output: 'Not ours', progress: 1 },
  },
  { type: 'text', text: 'Hello' },
];
const before = emptyReply({ parts: [] });

describe('what a run used', () => {
  it('is, where nobody tells, all that was written: thoughts and the input of tools, too', () => {
    expect(usedBy(before, { ...before, parts })).toEqual({ input: 0, output: 7, estimated: true });
  });

  it('is only what is new of an answer that went on', () => {
    const usage = { input: 9, output: 9 };
    const more: MessagePart[] = [...parts, { type: 'text', text: 'Goodbye!' }];
    expect(usedBy({ ...before, parts, usage }, { ...before, parts: more, usage }).output).toBe(2);
  });

  it('is what was told at the end', () => {
    const usage = { input: 9, output: 2 };
    expect(usedBy(before, { ...before, parts, usage, finishReason: 'stop' })).toEqual(usage);
  });

  it('is more than what was told before an end that never came', () => {
    const usage = { input: 9, output: 0 };
    const used = usedBy(before, { ...before, parts, usage, finishReason: 'incomplete' });
    expect(used).toEqual({ input: 9, output: 7, estimated: true });
    const whole = { ...before, parts, finishReason: 'incomplete' as const, usage: { input: 9, output: 900 } };
    expect(usedBy(before, whole)).toEqual({ input: 9, output: 900 });
  });

  it('is thought by us where only the prompt was told', () => {
    const used = usedBy(before, { ...before, parts, usage: { input: 9, output: 0 }, finishReason: 'stop' });
    expect(used).toEqual({ input: 9, output: 7, estimated: true });
  });
});
