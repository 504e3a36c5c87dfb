import { describe, expect, it } from 'vitest';
import { createSentenceCutter } from '../../../../web/src/speech/sentences.ts';

const WORDS = { code: 'Code.', table: 'Table.', formula: 'Formula.' };

/** What is said of a text that arrives in pieces of `size` characters, piece by piece. */
function pieces(text: string, size: number): string[][] {
  const cutter = createSentenceCutter(WORDS);
  const said: string[][] = [];
  for (let end = size; end < text.length; end += size) said.push(cutter.next(text.slice(0, end), false));
  said.push(cutter.next(text, true));
  return said;
}

const said = (text: string, size = text.length) => pieces(text, size).flat();

describe.each([
  [
    'sentences',
    'The first sentence. The second one! And a third?',
    ['The first sentence.', 'The second one!', 'And a third?'],
  ],
  [
    'abbreviations',
    'Ask Dr. Miller, e.g. about the U.S. market. She knows, i.e. she was there at 5 p.m. yesterday.',
    ['Ask Dr. Miller, e.g. about the U.S. market.', 'She knows, i.e. she was there at 5 p.m. yesterday.'],
  ],
  [
    'German abbreviations and ordinals',
    'Das ist z. B. am 3. Mai so, bzw. am 12. Juni. Danach kommt der Sommer.',
    ['Das ist z. B. am 3. Mai so, bzw. am 12. Juni.', 'Danach kommt der Sommer.'],
  ],
  [
    'numbers',
    'It costs 3.14 or $1,000.50 today. That is much.',
    ['It costs 3.14 or $1,000.50 today.', 'That is much.'],
  ],
  [
    'Chinese and Japanese',
    '今天天气怎么样呢？我觉得今天的天气非常好。これは日本語の文章です。',
    ['今天天气怎么样呢？', '我觉得今天的天气非常好。', 'これは日本語の文章です。'],
  ],
  [
    'quotes',
    'She said “I am here already.” Then she left again.',
    ['She said “I am here already.”', 'Then she left again.'],
  ],
  ['an ellipsis', 'Well… that is hard to say. Let us see...', ['Well…', 'that is hard to say.', 'Let us see...']],
  [
    'marks around words',
    'This is **very important.** See [the manual](https://example.com/a.b?c=d. e) for `a.b. C`. The end of it.',
    ['This is very important.', 'See the manual for a.b. C.', 'The end of it.'],
  ],
  [
    'headings and lists',
    '# A heading\n\nA paragraph that\ngoes on.\n\n1. The first item\n2. The second item\n\n- [x] A task to do',
    ['A heading', 'A paragraph that goes on.', 'The first item', 'The second item', 'A task to do'],
  ],
  [
    'code',
    'Look at this:\n\n```js\nconst a = 1. B;\n\n// A comment. With sentences.\n```\n\nThat was the code.',
    ['Look at this:', 'Code.', 'That was the code.'],
  ],
  ['code with tildes and fences within', '~~~md\n```js\nx\n```\n~~~\nAfter all of it.', ['Code.', 'After all of it.']],
  [
    'a table',
    'The figures of it:\n\n| a | b |\n|---|---|\n| 1. x | 2 |\n\nThose were the figures.',
    ['The figures of it:', 'Table.', 'Those were the figures.'],
  ],
  [
    'formulas',
    'We know that:\n\n$$\na^2 + b^2. C\n$$\n\nand \\(x\\) is\n\n\\[ y = 1 \\]\n\nThat is all of it.',
    ['We know that:', 'Formula.', 'and (x) is', 'Formula.', 'That is all of it.'],
  ],
  ['code that never ends', 'A beginning of it.\n\n```\nnever closed. Not said.', ['A beginning of it.', 'Code.']],
  ['nothing', '\n\n---\n\n***\n', []],
  ['short answers', 'Yes. That is how it is done.', ['Yes.', 'That is how it is done.']],
])('%s', (_, text, expected) => {
  it('are cut where a reader would pause', () => {
    expect(said(text)).toEqual(expected);
  });

  it.each([1, 2, 3, 7])('are the same when the text arrives in pieces of %i characters', (size) => {
    expect(said(text, size).join('|').replaceAll(' ', '')).toBe(expected.join('|').replaceAll(' ', ''));
  });
});

it('a sentence is given as soon as the next one begins, in the middle of a line', () => {
  const cutter = createSentenceCutter(WORDS);
  expect(cutter.next('The first sentence is he', false)).toEqual([]);
  expect(cutter.next('The first sentence is here. A', false)).toEqual(['The first sentence is here.']);
  expect(cutter.next('The first sentence is here. And another one', true)).toEqual(['And another one']);
});

it('nothing of a fence is said while it is not clear that it is one', () => {
  const cutter = createSentenceCutter(WORDS);
  for (const text of ['`', '``', '```', '```js\nlet a. B', '```js\nlet a. B c. D']) {
    expect(cutter.next(text, false).filter((one) => one !== WORDS.code)).toEqual([]);
  }
});

it('a sentence without an end is cut at a comma or between words', () => {
  const long = said(`${'so it goes on and on, '.repeat(40)}end`);
  expect(long.length).toBeGreaterThan(2);
  expect(long.every((one) => one.length <= 320)).toBe(true);
  expect(long.join(' ')).toBe(`${'so it goes on and on, '.repeat(40)}end`);
});

it('a text that is replaced by a shorter one says nothing twice', () => {
  const cutter = createSentenceCutter(WORDS);
  expect(cutter.next('One sentence is here. Two', false)).toEqual(['One sentence is here.']);
  expect(cutter.next('One sentence', false)).toEqual([]);
  expect(cutter.next('One sentence', true)).toEqual([]);
});
