// The marks of an answer and the passages they stand for.
import { fold } from '@parley/schema/generation/fold';
import type { Message } from '@parley/schema/messages/messages';
import {
  citationsIn,
  formatPassages,
  withCitations,
  withoutMarks,
  type ShownPassage,
} from '@parley/server/retrieval/cite';
import { cutText, joinNeighbours, joinSections, joinTexts } from '@parley/server/retrieval/passages';
import { describe, expect, it } from 'vitest';

const passages: ShownPassage[] = [
  passage(3, 2, 'The mill is old. It was built in 1750. Nobody lives there.'),
  passage(9, null, 'Rain falls in May.'),
];

describe('the marks of an answer', () => {
  it('name the passage, its page, and the sentence that the answer rests on', () => {
    const text = 'The mill was built in 1750. [1] It rains in May [2].';
    expect(citationsIn(text, passages)).toEqual([
      { at: 28, fileId: 'f', name: 'a.pdf', page: 2, n: 3, quote: 'It was built in 1750.' },
      { at: 48, fileId: 'f', name: 'a.pdf', page: null, n: 9, quote: 'Rain falls in May.' },
    ]);
  });

  it.each([
    ['follow each other', 'Both say so [1][2].', [12, 15]],
    ['follow a word', 'Built in 1750[1]. Rain in May[2]', [13, 29]],
    ['name no passage', 'Nothing [3] or [0] or [12]', []],
    ['are code', 'Use `a [1]` and\n```\nb [2]\n```\nor rows[1].name, rows[2]x', []],
    ['are code that is never closed', 'As here:\n```\nb [2]', []],
    ['are links or notes', '[1](https://example.org) and [2]: https://example.org', []],
  ])('that %s', (_, text, places) => {
    expect(citationsIn(text, passages).map(({ at }) => at)).toEqual(places);
  });

  it('quote at most 300 characters', () => {
    const [citation] = citationsIn('So it says [1]', [passage(0, 1, 'word '.repeat(200))]);
    expect(citation?.quote).toHaveLength(301);
  });

  it('stay as they were when the answer is continued', () => {
    const before = { at: 8, fileId: 'old', name: 'old.pdf', page: 1, n: 0, quote: 'Old.' };
    const reply = { parts: [{ type: 'text', text: 'As said [1]', citations: [before] }] } as unknown as Message;
    const longer = fold(reply, { type: 'text', part: 0, offset: 11, text: ' and more [2].' });
    const [part] = withCitations(longer.parts, passages);
    expect(part?.type === 'text' && part.citations?.map(({ at, fileId }) => [at, fileId])).toEqual([
      [8, 'old'],
      [21, 'f'],
    ]);
  });

  it('are left alone where no passages were sent', () => {
    const parts = [{ type: 'text' as const, text: 'See [1].' }];
    expect(withCitations(parts, [])).toEqual(parts);
  });

  it('are taken out for later questions, others stay', () => {
    const text = 'Old [1]. New [7] too [2].';
    const parts = [{ type: 'text' as const, text, citations: citationsIn(text, passages) }];
    expect(withoutMarks(parts)).toBe('Old. New [7] too.');
  });
});

describe('a passage under a heading', () => {
  const sheet: ShownPassage = { ...passage(0, null, 'A1 = 2'), name: 'a.xlsx', heading: 'Form "ulas"' };

  it('tells the model the sheet, and its citation too', () => {
    expect(formatPassages([sheet])).toContain(`[1] <file name="a.xlsx" section="Form 'ulas'">\nA1 = 2\n</file>`);
    expect(citationsIn('It is two [1]', [sheet])).toMatchObject([{ heading: 'Form "ulas"' }]);
  });

  it('tells the model that an encoding was guessed', () => {
    expect(formatPassages([{ ...sheet, encoding: 'shift_jis' }])).toContain(
      'note="The encoding shift_jis is a guess: letters may be wrong."',
    );
  });

  it('is asked to be cited where all files are shown whole, too', () => {
    expect(formatPassages([], 2)).toContain('write its number in square brackets');
  });
});

describe('passages', () => {
  it('are named by their numbers', () => {
    const told = formatPassages(passages);
    expect(told).toContain('[1] <file name="a.pdf" page="2">\nThe mill is old.');
    expect(told).toContain('[2] <file name="a.pdf">\nRain falls in May.\n</file>');
    expect(formatPassages([])).toBe('');
  });

  it('are joined when they follow each other on a page, without what they repeat', () => {
    const chunks = [
      chunk('b', 0, 1, 'Begin.'),
      chunk('a', 2, 1, 'the end of one sentence. And more.'),
      chunk('a', 1, 1, 'This is the end of one sentence.'),
      chunk('a', 3, 2, 'Another page.'),
      chunk('a', 5, 2, 'Further on.'),
    ];
    expect(joinNeighbours(chunks, ['a', 'b']).map(({ fileId, n, page, body }) => [fileId, n, page, body])).toEqual([
      ['a', 1, 1, 'This is the end of one sentence. And more.'],
      ['a', 3, 2, 'Another page.'],
      ['a', 5, 2, 'Further on.'],
      ['b', 0, 1, 'Begin.'],
    ]);
  });

  it('make the pages of a file', () => {
    const chunks = [
      { n: 0, page: 1, heading: 'One', body: 'The first half of a page' },
      { n: 1, page: 1, heading: 'Two', body: 'half of a page, and the second.' },
      { n: 2, page: 2, heading: 'Two', body: 'Two.' },
    ];
    expect(joinSections(chunks)).toEqual([
      { n: 0, last: 1, page: 1, heading: 'One', text: 'The first half of a page, and the second.' },
      { n: 2, last: 2, page: 2, heading: 'Two', text: 'Two.' },
    ]);
    expect(joinSections([])).toEqual([]);
  });

  it('make the sections of a file without pages, under their headings', () => {
    const chunks = ['Ships', 'Ships', 'Formulas'].map((heading, n) => ({ n, page: null, heading, body: `rows ${n}` }));
    expect(joinSections(chunks).map(({ n, last, heading }) => [n, last, heading])).toEqual([
      [0, 1, 'Ships'],
      [2, 2, 'Formulas'],
    ]);
  });

  it('split a long section, so that a citation leads to the place', () => {
    const chunks = Array.from({ length: 10 }, (_, n) => ({ n, page: null, heading: null, body: `${n}`.repeat(1500) }));
    expect(joinSections(chunks).map(({ n, last }) => [n, last])).toEqual([
      [0, 3],
      [4, 7],
      [8, 9],
    ]);
  });

  it('keep whole lines of a text that is shown as it is, each with its place in the index', () => {
    const lines = Array.from({ length: 3000 }, (_, n) => `line ${n}`);
    const parts = cutText(lines.join('\n'), 20);
    expect(parts.map(({ text }) => text).join('\n')).toBe(lines.join('\n'));
    expect(parts.map(({ n }) => n)).toEqual(parts.map(({ n }) => n).toSorted((a, b) => a - b));
    expect([parts[0]?.n, parts.at(-1)?.last]).toEqual([0, 19]);
    expect(cutText('short', 1)).toEqual([{ n: 0, last: 0, page: null, heading: null, text: 'short' }]);
    expect(cutText('', 0)).toEqual([{ n: 0, last: 0, page: null, heading: null, text: '' }]);
  });

  it('of different files are told apart', () => {
    expect(joinTexts('one a', 'a two')).toBe('one a\na two');
  });
});

function passage(n: number, page: number | null, body: string): ShownPassage {
  return { fileId: 'f', name: 'a.pdf', n, page, heading: null, body };
}

function chunk(fileId: string, n: number, page: number, body: string) {
  return { fileId, n, page, heading: null, body, tokens: 1 };
}
