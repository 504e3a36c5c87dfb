import type { GenerationEvent } from '@parley/schema/generation/events';
import type { ToolCall } from '@parley/schema/messages/messages';
import type { Delta } from '@parley/server/generation/delta';
import { createEventBuilder } from '@parley/server/generation/event-builder';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folded } from '../../contracts/generation-events.ts';

const call: ToolCall = { id: 'call-0', kind: 'function', name: 'f', input: '{', output: null, progress: 0.1 };

describe('deltas', () => {
  it('become text events with offsets', () => {
    expect(read(say('Hello'), say(', '), say('Alice'))).toMatchObject([{ offset: 0 }, { offset: 5 }, { offset: 7 }]);
  });

  it('begin another part when they are of another kind', () => {
    const parts = partsOf(think('Hm.'), say('Hello'), { type: 'tool', call }, say('!'));
    expect(parts.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool_call', 'text']);
  });

  it('replace the previous state of the same tool call', () => {
    const grown = { ...call, input: '{}' };
    const other = { ...call, id: 'call-1' };
    const parts = partsOf({ type: 'tool', call }, { type: 'tool', call: other }, { type: 'tool', call: grown });
    expect(parts).toEqual([
      { type: 'tool_call', call: grown },
      { type: 'tool_call', call: other },
    ]);
  });

  it('send the arguments of a running tool call once', () => {
    const input = '{"code":"print(1)"}';
    const deltas: Delta[] = [
      { type: 'tool', call: { ...call, input: '' } },
      { type: 'input', id: call.id, text: input.slice(0, 8) },
      { type: 'input', id: call.id, text: input.slice(8) },
      { type: 'tool', call: { ...call, input, progress: 0.2 } },
      { type: 'tool', call: { ...call, input, progress: 1, output: '1' } },
    ];
    const events = read(...deltas);
    expect(JSON.stringify(events).split('print')).toHaveLength(2);
    expect(events.slice(-2)).toMatchObject([{ keeps: 'input' }, { keeps: 'input' }]);
    const ended = { type: 'tool_call', call: { ...call, input, progress: 1, output: '1' } };
    expect(partsOf(...deltas)).toEqual([ended]);
    // Other arguments are sent.
    expect(partsOf(...deltas, { type: 'tool', call })).toEqual([{ type: 'tool_call', call }]);
  });

  it('leave no gap between parts when they have no content', () => {
    expect(partsOf(think('Hm.'), say(''), say('\u0000'), say('\ud83d'), think(' So.'), say('Hello'))).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'reasoning', text: ' So.' },
      { type: 'text', text: 'Hello' },
    ]);
  });

  it('continue where a reply had ended', () => {
    const parts = [{ type: 'text' as const, text: 'Hello' }];
    expect(createEventBuilder(parts).add(say('!'))).toEqual({ type: 'text', part: 0, offset: 5, text: '!' });
    expect(createEventBuilder(parts).add(think('Hm'))).toMatchObject({ type: 'reasoning', part: 1, offset: 0 });
  });

  it('may split a surrogate pair', () => {
    expect(partsOf(say('a\ud83d'), say('\ude00b'))).toEqual([{ type: 'text', text: 'a😀b' }]);
    expect(partsOf(say('a\ud83d'), say('\u0000'), say('\ude00b'))).toEqual([{ type: 'text', text: 'a😀b' }]);
    expect(partsOf(say('a\ud83d'), say('b'))).toEqual([{ type: 'text', text: 'a\ufffdb' }]);
    expect(partsOf(say('a\ud83d'))).toEqual([{ type: 'text', text: 'a\ufffd' }]);
  });

  it('keep the text before the run when they replace the text', () => {
    expect(partsOf(say('It is 10'), { type: 'rewrite', text: 'It is 12' }, say(' m'))).toEqual([
      { type: 'text', text: 'It is 12 m' },
    ]);
    expect(partsOf(think('Hm.'), { type: 'rewrite', text: 'a\u0000b' })).toMatchObject([
      { type: 'reasoning' },
      { type: 'text', text: 'ab' },
    ]);
    const reader = createEventBuilder([{ type: 'text', text: 'Begun: ' }]);
    expect(reader.add(say('10'))).toMatchObject({ offset: 7 });
    const value = { type: 'text', text: 'Begun: 12' };
    expect(reader.add({ type: 'rewrite', text: '12' })).toEqual({ type: 'part', part: 0, value });
    expect(reader.add(say(' m'))).toMatchObject({ part: 0, offset: 9 });
  });

  it('follow text of a person after one space, unless there is one', () => {
    const after = (text: string, ...deltas: Delta[]) => {
      const reader = createEventBuilder([{ type: 'text', text }], true);
      return deltas.map((delta) => reader.add(delta));
    };
    expect(after('Edited', say('on'), say('ward'))).toMatchObject([
      { offset: 6, text: ' on' },
      { offset: 9, text: 'ward' },
    ]);
    expect(after('Edited', say(''), say('\u0000'), say('on'))).toMatchObject([null, null, { text: ' on' }]);
    expect(after('Edited ', say('on'))).toMatchObject([{ text: 'on' }]);
    expect(after('Edited', say('\non'), say('ward'))).toMatchObject([{ text: '\non' }, { text: 'ward' }]);
    expect(after('Edited', say(', then on'))).toMatchObject([{ text: ', then on' }]);
    expect(after('Edited (', say('on'))).toMatchObject([{ text: ' on' }]);
    expect(after('編集', say('された'))).toMatchObject([{ text: 'された' }]);
    expect(after('แก้ไข', say('แล้ว'))).toMatchObject([{ text: 'แล้ว' }]);
    expect(after('수정된', say('글'))).toMatchObject([{ text: ' 글' }]);
    expect(after('Edited', think('Hm'), say('on'))).toMatchObject([{ text: 'Hm' }, { part: 2, text: ' on' }]);
    const rewritten = after('Edited', say('10'), { type: 'rewrite', text: '12' }, say(' m'));
    expect(rewritten[1]).toMatchObject({ value: { text: 'Edited 12' } });
    expect(rewritten[2]).toMatchObject({ offset: 9, text: ' m' });
  });

  it('are cleaned like text when they come from a tool', () => {
    const dirty = { ...call, name: 'f\u0000', input: '{"a":"\u0000\ud83d"}' };
    expect(partsOf({ type: 'tool', call: dirty })).toEqual([
      { type: 'tool_call', call: { ...call, input: '{"a":"\ufffd"}' } },
    ]);
  });

  it('split anywhere give the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(), { maxLength: 10 }), (text, cuts) => {
        fc.pre(!text.includes('\u0000') && text !== '');
        const offsets = [0, ...cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b), text.length];
        const pieces = offsets.slice(1).map((offset, n) => say(text.slice(offsets[n], offset)));
        expect(partsOf(...pieces)).toEqual([{ type: 'text', text }]);
      }),
    );
  });
});

function say(text: string): Delta {
  return { type: 'text', text };
}

function think(text: string): Delta {
  return { type: 'reasoning', text };
}

function read(...deltas: Delta[]): GenerationEvent[] {
  const reader = createEventBuilder([]);
  const events = [...deltas.map((delta) => reader.add(delta)), reader.flush()];
  return events.flatMap((event) => event ?? []);
}

function partsOf(...deltas: Delta[]) {
  return folded(read(...deltas).map((event, n) => ({ seq: n + 1, event }))).parts;
}
