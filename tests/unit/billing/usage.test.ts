import type { MessagePart } from '@parley/schema/messages/messages';
import { usedBy } from '@parley/server/billing/usage';
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

describe('the usage of a run', () => {
  it('is an estimate of all output, reasoning and tool input included, when none is reported', () => {
    expect(usedBy(before, { ...before, parts })).toEqual({ input: 0, output: 7, estimated: true });
  });

  it('covers only the new part of a continued answer', () => {
    const usage = { input: 9, output: 9 };
    const more: MessagePart[] = [...parts, { type: 'text', text: 'Goodbye!' }];
    expect(usedBy({ ...before, parts, usage }, { ...before, parts: more, usage }).output).toBe(2);
  });

  it('is the one reported at the end', () => {
    const usage = { input: 9, output: 2 };
    expect(usedBy(before, { ...before, parts, usage, finishReason: 'stop' })).toEqual(usage);
  });

  it('is the larger of estimate and interim report when the end is missing', () => {
    const usage = { input: 9, output: 0 };
    const used = usedBy(before, { ...before, parts, usage, finishReason: 'incomplete' });
    expect(used).toEqual({ input: 9, output: 7, estimated: true });
    const whole = { ...before, parts, finishReason: 'incomplete' as const, usage: { input: 9, output: 900 } };
    expect(usedBy(before, whole)).toEqual({ input: 9, output: 900 });
  });

  it('estimates the completion when only the prompt is reported', () => {
    const used = usedBy(before, { ...before, parts, usage: { input: 9, output: 0 }, finishReason: 'stop' });
    expect(used).toEqual({ input: 9, output: 7, estimated: true });
  });
});
