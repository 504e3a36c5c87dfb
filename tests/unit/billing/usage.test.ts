import type { MessagePart } from '@parley/schema/messages/messages';
import { addUsage, readUsage, soundUsage } from '@parley/schema/catalog/usage';
import { recoveredUsage } from '@parley/server/billing/usage';
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

describe('the usage of a run whose process ended', () => {
  it('is an estimate of all output, reasoning and tool input included, when its log tells none', () => {
    const used = recoveredUsage(before, { ...before, parts }, null);
    expect(used).toEqual({ input: 0, output: 7, estimated: true });
  });

  it('has the prompt that credits were reserved for, when its log tells none', () => {
    const expected = { input: 40, output: 0, estimated: true, rates: { prompt: 1, completion: 2 } };
    expect(recoveredUsage(before, { ...before, parts }, expected)).toEqual({ ...expected, output: 7 });
  });

  it('covers only the new part of a continued answer', () => {
    const usage = { input: 9, output: 9 };
    const more: MessagePart[] = [...parts, { type: 'text', text: 'Goodbye!' }];
    expect(recoveredUsage({ ...before, parts, usage }, { ...before, parts: more, usage }, null).output).toBe(2);
  });

  it('is the larger of estimate and interim report', () => {
    const usage = { input: 9, cachedRead: 4, output: 0 };
    const used = recoveredUsage(before, { ...before, parts, usage }, null);
    expect(used).toEqual({ input: 9, cachedRead: 4, output: 7, estimated: true });
    const whole = { input: 9, output: 900, reasoning: 30 };
    expect(recoveredUsage(before, { ...before, parts, usage: whole }, null)).toEqual(whole);
  });
});

describe('the usage that a provider reports', () => {
  it('counts parts of it that are no count, or more than their whole, as none', () => {
    const odd = { input: 9, cachedRead: 10, cachedWrite: '3', output: 2, reasoning: null };
    expect(soundUsage(odd)).toEqual({ input: 9, output: 2 });
    expect(soundUsage({ input: 9, cachedRead: 5, cachedWrite: 5, output: 2 })).toEqual({
      input: 9,
      cachedRead: 5,
      output: 2,
    });
  });

  it('is none without a count of prompt or output', () => {
    for (const odd of [{ input: 0, output: null }, { input: 1.5, output: 1 }, { input: 5, output: -1 }, { output: 4 }])
      expect(readUsage(odd)).toBeNull();
  });
});

describe('the usage of several calls', () => {
  it('is the sum of all that is known of them', () => {
    const first = { input: 100, cachedWrite: 60, output: 5, tookMs: 10 };
    const second = { input: 160, cachedRead: 60, output: 9, reasoning: 4, estimated: true, tookMs: 20 };
    expect(addUsage(first, second)).toEqual({
      input: 260,
      cachedRead: 60,
      cachedWrite: 60,
      output: 14,
      reasoning: 4,
      estimated: true,
      tookMs: 30,
    });
  });
});
