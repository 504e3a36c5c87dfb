import { withText } from '@parley/schema/messages/edited-parts';
import type { Citation, MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { describe, expect, it } from 'vitest';

const reasoning: MessagePart = { type: 'reasoning', text: 'Hm.' };
const call: MessagePart = { type: 'tool_call', call: { id: '0:0', name: 'calculator' } as ToolCall };

const text = (words: string, ...citations: Citation[]): MessagePart =>
  citations.length === 0 ? { type: 'text', text: words } : { type: 'text', text: words, citations };
const source = (n: number, at: number): Citation => ({ at, fileId: `file ${n}`, name: 'a.pdf', page: n, n, quote: '' });

/** Has the words around the call many times. */
const LONG = ' see. It is'.repeat(2_000);

describe('the parts of a message whose text is edited', () => {
  const around = [reasoning, text('Let me see. '), call, text('It is 42.')];

  it.each([
    ['after a call', 'Let me see. It is 43.', [reasoning, text('Let me see. '), call, text('It is 43.')]],
    ['before a call', 'I look. It is 42.', [reasoning, text('I look. '), call, text('It is 42.')]],
    ['at the place of the call', 'Let me see. Well: It is 42.', [...around.slice(0, 3), text('Well: It is 42.')]],
    ['on both sides', 'Let us see. It was 42.', [reasoning, text('Let us see. '), call, text('It was 42.')]],
    ['wholly', 'No', [reasoning, text('No'), call]],
    [
      'by a long text, in which no place is looked for',
      `I see.${LONG}42.`,
      [reasoning, text(`I see.${LONG}`), call, text('42.')],
    ],
    ['to nothing before a call', 'It is 42.', [reasoning, call, text('It is 42.')]],
    ['to nothing', '', [reasoning, text(''), call]],
    ['not at all', 'Let me see. It is 42.', around],
  ])('keep their places when it changes %s', (_where, after, parts) => {
    expect(withText(around, after)).toEqual(parts);
  });

  it('end with the text when there was none', () => {
    expect(withText([reasoning], 'new')).toEqual([reasoning, text('new')]);
  });

  it('keep the paragraph in which their text is read, with what an edit changes around it', () => {
    const glued = [text('Let me see.'), call, text('It is 42 [1].', source(1, 9))];
    expect(withText(glued, 'Let me see.\n\nIt is 43 [1].')).toEqual([
      text('Let me see.'),
      call,
      text('\n\nIt is 43 [1].', source(1, 11)),
    ]);
    expect(withText(glued, 'I look.\n\nIt is 42 [1].')[0]).toEqual(text('I look.'));
    expect(withText(glued, 'Let me see. It is 42 [1].').slice(0, 2)).toEqual([text('Let me see.'), call]);
  });

  it('keep signs of two units whole', () => {
    expect(withText([text('A😀'), call, text('B')], 'A😁B')).toEqual([text('A😁'), call, text('B')]);
    expect(withText([text('A'), call, text('😀B')], 'A😁B')).toEqual([text('A'), call, text('😁B')]);
  });

  const cited = [text('One [1]. ', source(1, 4)), call, text('Two [2], three [3].', source(2, 4), source(3, 15))];

  it.each([
    [
      'when the words before them change',
      'First one [1]. Two [2], three [3].',
      [text('First one [1]. ', source(1, 10)), call, cited[2]],
    ],
    [
      'when the words behind them change',
      'One [1]. Two [2], and three [3]!',
      [cited[0], call, text('Two [2], and three [3]!', source(2, 4), source(3, 19))],
    ],
    ['and go with them', 'One [1]. Two, three [3].', [cited[0], call, text('Two, three [3].', source(3, 11))]],
    [
      'also where they change places',
      'One [1]. Three [3], two [2].',
      [cited[0], call, text('Three [3], two [2].', source(3, 6), source(2, 15))],
    ],
    [
      'and none is made up for a number that the answer did not have',
      'One [1]. Two [9], three [3].',
      [cited[0], call, text('Two [9], three [3].', source(3, 15))],
    ],
  ])('keep the citations at their marks %s', (_when, after, parts) => {
    expect(withText(cited, after)).toEqual(parts);
  });

  it('cite nothing where the answer had a mark without a source', () => {
    const loose = [text('One [1], and [1].', source(1, 4))];
    expect(withText(loose, 'One [1], and [1]!')).toEqual([text('One [1], and [1]!', source(1, 4))]);
  });
});
