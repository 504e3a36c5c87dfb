import { describe, expect, it } from 'vitest';
import { countIn, fold, foldQuery, foldWords, placesIn } from '../../../../web/src/find/folded.ts';
import { placeAt, positionFrom } from '../../../../web/src/find/found-places.ts';
import { wordsOfMarkdown } from '../../../../web/src/find/words-of-markdown.ts';
import { searchedMessage } from '../../../../web/src/find/words-of-message.ts';

describe('what is searched for', () => {
  it.each([
    ['a Crème brûlée', 'creme BRULEE', ['Crème brûlée']],
    ['مَرْحَبًا', 'مرحبا', ['مَرْحَبًا']],
    ['Straße und STRASSE', 'strasse', ['Straße', 'STRASSE']],
    ['ＡＢＣ', 'abc', ['ＡＢＣ']],
    ['two  \n words', 'two words', ['two  \n words']],
    ['e\u0301t e\u0301', 'é', ['e\u0301', 'e\u0301']],
    ['👩‍🚀 astronaut', 'astronaut', ['astronaut']],
    ['aaaa', 'aa', ['aa', 'aa']],
  ])('in %j is %j at %j', (text, query, found) => {
    const needle = foldQuery(query);
    expect(placesIn(fold(text), needle).map(({ from, to }) => text.slice(from, to))).toEqual(found);
    expect(countIn(foldWords(text), needle)).toBe(found.length);
  });

  it('is nothing for white space', () => {
    expect(foldQuery('  ')).toBe('');
    expect(foldQuery(' a ')).toBe('a ');
  });
});

describe('the words of an answer', () => {
  it.each([
    ['A **bold** [link](https://x.example) `code`', 'A bold link code'],
    ['# Title\n\n- one\n- two *in* it', 'Title|one|two in it'],
    ['| a | b |\n| - | - |\n| c | **d** |', 'a|b|c|d'],
    ['> quoted\n\n```ts\nconst a = 1;\n```', 'quoted|const a = 1;'],
    ['so $x$ is &lt;b&gt;', 'so \uFFFC is <b>'],
    ['```mermaid\nflowchart TD\n```\n\nafter', 'after'],
    ['![a cat](https://x.example/cat.png) [1]: no', 'a cat [1]: no'],
    ['see [a][1]\n\n[1]: https://x.example', 'see a'],
  ])('of %j are %j', (markdown, words) => {
    expect(
      wordsOfMarkdown(markdown)
        .split('\0')
        .filter((block) => block.trim() !== '')
        .join('|'),
    ).toBe(words);
  });

  it('are counted as they are read, those of a question as they were written, and reasoning where it is unfolded', () => {
    const parts = [
      { type: 'reasoning' as const, text: 'a bold plan' },
      { type: 'text' as const, text: 'A **bold** word, very **bold**.' },
    ];
    expect(searchedMessage({ parts, isCreatedByUser: false }, false).count('bold word')).toBe(1);
    expect(searchedMessage({ parts, isCreatedByUser: false }, false).count('bold')).toBe(2);
    expect(searchedMessage({ parts, isCreatedByUser: false }, true).count('bold')).toBe(3);
    expect(searchedMessage({ parts: parts.slice(1), isCreatedByUser: true }, false).count('**bold')).toBe(2);
    expect(searchedMessage({ parts: parts.slice(1), isCreatedByUser: false }, false).count('**bold')).toBe(0);
  });
});

describe('the places', () => {
  const messages = [
    { messageId: 'b', count: 2 },
    { messageId: 'd', count: 1 },
  ];
  it('are counted over all messages', () => {
    expect([0, 1, 2, 3].map((position) => placeAt(messages, position))).toEqual([
      { messageId: 'b', at: 0 },
      { messageId: 'b', at: 1 },
      { messageId: 'd', at: 0 },
      null,
    ]);
  });

  it('begin with the first one from the message in view on, or with the first of all', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((messageId) => ({ messageId }));
    expect(['a', 'b', 'c', 'd', 'e', null].map((id) => positionFrom(messages, nodes, id))).toEqual([0, 0, 2, 2, 0, 0]);
  });
});
