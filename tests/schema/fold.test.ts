import type { Entry, GenerationEvent } from '@parley/schema/events';
import { fold, isLast, merge } from '@parley/schema/fold';
import { textOf, type Message } from '@parley/schema/messages';
import { createDeltaReader } from '@parley/server/generation/deltas';
import type { Delta } from '@parley/server/generation/delta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyDeltas, createdOf, emptyReply, finalOf, folded, text, textsOf } from '../contracts/generation-events.ts';

const reply = emptyReply();

describe('folding', () => {
  it('joins text in the order of its offsets', () => {
    expect(foldAll(textsOf('Hello', ', ', 'Alice')).parts).toEqual([{ type: 'text', text: 'Hello, Alice' }]);
  });

  it('trims what is there already', () => {
    expect(foldAll([text(0, 'Hello'), text(3, 'lo, Alice')]).parts).toEqual([{ type: 'text', text: 'Hello, Alice' }]);
  });

  it('takes nothing from what lies wholly in the past', () => {
    expect(foldAll([text(0, 'Hello'), text(1, 'ell')]).parts).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  it('refuses a gap in a text', () => {
    expect(() => foldAll([text(0, 'Hello'), text(6, 'Alice')])).toThrow('a gap before 6');
  });

  it('refuses a gap between parts', () => {
    expect(() => foldAll([text(0, 'Hello', 1)])).toThrow('part 1 came before part 0');
  });

  it('refuses text for a part of another kind', () => {
    const thought = { type: 'reasoning' as const, part: 0, offset: 0, text: 'Hm' };
    expect(() => foldAll([thought, text(2, 'Hello')])).toThrow('part 0 is not text');
  });

  it('replaces a part whole', () => {
    const call = { id: 'a', kind: 'function' as const, name: 'f', input: '{', output: null, progress: 0.1 };
    const parts = [call, { ...call, input: '{}' }].map((value) => ({
      type: 'part' as const,
      part: 0,
      value: { type: 'tool_call' as const, call: value },
    }));
    expect(foldAll(parts).parts).toEqual([{ type: 'tool_call', call: { ...call, input: '{}' } }]);
  });

  it('lets the final event replace everything', () => {
    const saved = finalOf(emptyReply({ parts: [{ type: 'text', text: 'As it was saved' }] }));
    expect(foldAll([text(0, 'As it was folded'), saved])).toBe(saved.reply);
    expect(isLast(saved)).toBe(true);
    expect(isLast(createdOf(reply))).toBe(false);
  });

  it('changes nothing that it was given', () => {
    const before = foldAll([text(0, 'Hello')]);
    const copy = structuredClone(before);
    fold(before, text(5, '!'));
    expect(before).toEqual(copy);
  });
});

describe('merging', () => {
  it('joins neighbours, and trims their overlap', () => {
    expect(merge(text(0, 'Hello'), text(5, ', Alice'))).toEqual(text(0, 'Hello, Alice'));
    expect(merge(text(0, 'Hello'), text(3, 'lo!'))).toEqual(text(0, 'Hello!'));
    expect(merge(text(0, 'Hello'), text(1, 'ell'))).toEqual(text(0, 'Hello'));
  });

  it('leaves apart what is not neighbouring text of one part', () => {
    expect(merge(text(0, 'Hello'), text(6, 'Alice'))).toBeNull();
    expect(merge(text(5, 'Alice'), text(0, 'Hello'))).toBeNull();
    expect(merge(text(0, 'Hello', 0), text(0, 'Hello', 1))).toBeNull();
    expect(merge(text(0, 'Hello'), { type: 'reasoning', part: 0, offset: 5, text: 'Hm' })).toBeNull();
    expect(merge(text(0, 'Hello'), { type: 'usage', input: 1, output: 1 })).toBeNull();
  });
});

describe('whatever was said, and however it was cut', () => {
  it('a subscriber that merges random neighbours folds the whole', () => {
    fc.assert(
      fc.property(anyDeltas, fc.infiniteStream(fc.boolean()), (deltas, coins) => {
        const entries = entriesOf(deltas);
        expect(folded(mergedAtRandom(entries, coins), reply)).toEqual(folded(entries, reply));
      }),
    );
  });

  it('a subscriber that comes back and is told again from any earlier place folds the whole', () => {
    fc.assert(
      fc.property(anyDeltas, fc.infiniteStream(fc.boolean()), fc.nat(), fc.nat(), (deltas, coins, a, b) => {
        const entries = entriesOf(deltas);
        const seen = a % (entries.length + 1);
        const again = b % (seen + 1);
        const state = folded(entries.slice(0, seen), reply);
        const told = mergedAtRandom(entries, coins).filter(({ seq }) => seq > again);
        expect(folded(told, state)).toEqual(folded(entries, reply));
      }),
    );
  });

  it('nothing that is said before a gap can be folded after it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 3, maxLength: 20 }), fc.nat(), (words, n) => {
        const events = textsOf(...words);
        const lost = 1 + (n % (events.length - 2));
        expect(() => foldAll(events.toSpliced(lost, 1))).toThrow('gap');
      }),
    );
  });

  it('text never holds NUL or half a pair, whatever it was cut from', () => {
    fc.assert(
      fc.property(anyDeltas, (deltas) => {
        const written = JSON.stringify(folded(entriesOf(deltas), reply).parts);
        expect(written).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
    );
  });
});

describe('folding a long answer', () => {
  it('costs the same for each event, however long it is', () => {
    const events = Array.from({ length: 200_000 }, (_, n) => text(n * 5, 'word '));
    const [first = [], second = []] = [events.slice(0, 100_000), events.slice(100_000)];
    // Of each the best: a crowded machine is in the way of some rounds.
    let early = Infinity;
    let late = Infinity;
    for (let round = 0; round < 5 || (round < 30 && late / early >= 2); round++) {
      const began = performance.now();
      const half = first.reduce(fold, reply);
      const between = performance.now();
      const whole = second.reduce(fold, half);
      expect(textOf(whole)).toHaveLength(1_000_000);
      early = Math.min(early, between - began);
      late = Math.min(late, performance.now() - between);
    }
    // Three times as much if each event cost as much as what stands before it.
    expect(late / early).toBeLessThan(2);
  });
});

function foldAll(events: GenerationEvent[]): Message {
  return events.reduce(fold, reply);
}

function entriesOf(deltas: readonly Delta[]): Entry[] {
  const reader = createDeltaReader([]);
  const events = [...deltas.map((delta) => reader.read(delta)), reader.rest()];
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
