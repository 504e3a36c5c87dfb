import type { Entry, GenerationEvent } from '@parley/schema/generation/events';
import { fold, merge } from '@parley/schema/generation/fold';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { createEventBuilder } from '@parley/server/generation/event-builder';
import type { Delta } from '@parley/server/generation/delta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyCallDeltas,
  anyDeltas,
  emptyReply,
  finalOf,
  folded,
  text,
  textsOf,
} from '../../contracts/generation-events.ts';

const reply = emptyReply();
const begun = tool('{"a":', 0.1);
const more: GenerationEvent = { type: 'input', part: 0, offset: 5, text: '1}' };
const running: GenerationEvent = { ...tool('', 0.2), keeps: 'input' };
const ended: GenerationEvent = { ...tool('', 1), keeps: 'input' };

describe('folding', () => {
  it('joins text in the order of offsets', () => {
    expect(foldAll(textsOf('Hello', ', ', 'Alice')).parts).toEqual([{ type: 'text', text: 'Hello, Alice' }]);
  });

  it('trims overlapping text', () => {
    expect(foldAll([text(0, 'Hello'), text(3, 'lo, Alice')]).parts).toEqual([{ type: 'text', text: 'Hello, Alice' }]);
  });

  it('ignores text that is present already', () => {
    expect(foldAll([text(0, 'Hello'), text(1, 'ell')]).parts).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  it('rejects a gap in a text', () => {
    expect(() => foldAll([text(0, 'Hello'), text(6, 'Alice')])).toThrow('a gap before 6');
  });

  it('rejects a gap between parts', () => {
    expect(() => foldAll([text(0, 'Hello', 1)])).toThrow('part 1 came before part 0');
  });

  it('rejects text for a part of another kind', () => {
    const reasoning = { type: 'reasoning' as const, part: 0, offset: 0, text: 'Hm' };
    expect(() => foldAll([reasoning, text(2, 'Hello')])).toThrow('part 0 is not text');
  });

  it('replaces a whole part', () => {
    const call = { id: 'a', kind: 'function' as const, name: 'f', input: '{', output: null, progress: 0.1 };
    const parts = [call, { ...call, input: '{}' }].map((value) => ({
      type: 'part' as const,
      part: 0,
      value: { type: 'tool_call' as const, call: value },
    }));
    expect(foldAll(parts).parts).toEqual([{ type: 'tool_call', call: { ...call, input: '{}' } }]);
  });

  it('replaces a tool call whose arguments stay as they were sent', () => {
    expect(foldAll([begun, more, running]).parts).toEqual([tool('{"a":1}', 0.2).value]);
    expect(() => foldAll([running])).toThrow('part 0 is no tool call');
  });

  it('replaces everything by the final event', () => {
    const saved = finalOf(emptyReply({ parts: [{ type: 'text', text: 'As it was saved' }] }));
    expect(foldAll([text(0, 'As it was folded'), saved])).toBe(saved.reply);
  });

  it('does not change its input', () => {
    const before = foldAll([text(0, 'Hello')]);
    const copy = structuredClone(before);
    fold(before, text(5, '!'));
    expect(before).toEqual(copy);
  });
});

describe('merging', () => {
  it('joins neighbors and trims their overlap', () => {
    expect(merge(text(0, 'Hello'), text(5, ', Alice'))).toEqual(text(0, 'Hello, Alice'));
    expect(merge(text(0, 'Hello'), text(3, 'lo!'))).toEqual(text(0, 'Hello!'));
    expect(merge(text(0, 'Hello'), text(1, 'ell'))).toEqual(text(0, 'Hello'));
  });

  it('leaves the arguments of a tool call as they were sent', () => {
    expect(merge(begun, running)).toEqual(tool('{"a":', 0.2));
    expect(merge(running, ended)).toEqual(ended);
    expect(merge(running, begun)).toEqual(begun);
    expect(merge(more, running)).toBeNull();
  });

  it('keeps separate parts and gaps apart', () => {
    expect(merge(text(0, 'Hello'), text(6, 'Alice'))).toBeNull();
    expect(merge(text(5, 'Alice'), text(0, 'Hello'))).toBeNull();
    expect(merge(text(0, 'Hello', 0), text(0, 'Hello', 1))).toBeNull();
    expect(merge(text(0, 'Hello'), { type: 'reasoning', part: 0, offset: 5, text: 'Hm' })).toBeNull();
    expect(merge(text(0, 'Hello'), { type: 'usage', input: 1, output: 1 })).toBeNull();
  });
});

describe.each([
  ['text', anyDeltas],
  ['calls of tools', anyCallDeltas],
])('for any %s, split anywhere', (_, anyOf) => {
  it('a reader that merges random neighbors folds the whole text', () => {
    fc.assert(
      fc.property(anyOf, fc.infiniteStream(fc.boolean()), (deltas, coins) => {
        const entries = entriesOf(deltas);
        expect(folded(mergedAtRandom(entries, coins), reply)).toEqual(folded(entries, reply));
      }),
    );
  });

  it('a reader that reconnects and gets earlier events again folds the whole text', () => {
    fc.assert(
      fc.property(anyOf, fc.infiniteStream(fc.boolean()), fc.nat(), fc.nat(), (deltas, coins, a, b) => {
        const entries = entriesOf(deltas);
        const seen = a % (entries.length + 1);
        const again = b % (seen + 1);
        const state = folded(entries.slice(0, seen), reply);
        const told = mergedAtRandom(entries, coins).filter(({ seq }) => seq > again);
        expect(folded(told, state)).toEqual(folded(entries, reply));
      }),
    );
  });
});

describe('for any text', () => {
  it('nothing behind a missing event can be folded', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 3, maxLength: 20 }), fc.nat(), (words, n) => {
        const events = textsOf(...words);
        const lost = 1 + (n % (events.length - 2));
        expect(() => foldAll(events.toSpliced(lost, 1))).toThrow('gap');
      }),
    );
  });

  it('text never holds NUL or lone surrogates', () => {
    fc.assert(
      fc.property(fc.oneof(anyDeltas, anyCallDeltas), (deltas) => {
        const written = JSON.stringify(folded(entriesOf(deltas), reply).parts);
        expect(written).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
    );
  });
});

describe('folding a long answer', () => {
  it('takes 200,000 events', () => {
    const events = Array.from({ length: 200_000 }, (_, n) => text(n * 5, 'word '));
    expect(messageText(foldAll(events))).toHaveLength(1_000_000);
  });
});

function foldAll(events: GenerationEvent[]): Message {
  return events.reduce(fold, reply);
}

function entriesOf(deltas: readonly Delta[]): Entry[] {
  const reader = createEventBuilder([]);
  const events = [...deltas.map((delta) => reader.add(delta)), reader.flush()];
  return events.flatMap((event) => event ?? []).map((event, n) => ({ seq: n + 1, event }));
}

function mergedAtRandom(entries: readonly Entry[], coins: Iterator<boolean>): Entry[] {
  const merged: Entry[] = [];
  for (const entry of entries) {
    const last = merged.at(-1);
    const event = last && coins.next().value ? merge(last.event, entry.event) : null;
    if (event) merged[merged.length - 1] = { seq: entry.seq, event };
    else merged.push(entry);
  }
  return merged;
}

function tool(input: string, progress: number) {
  const call = { id: 'a', kind: 'function' as const, name: 'f', input, output: null, progress };
  return { type: 'part' as const, part: 0, value: { type: 'tool_call' as const, call } };
}
