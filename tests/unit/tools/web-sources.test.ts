import { readWebSources, writeWebSources } from '@parley/schema/tools/web-sources';
import { choiceNumbers } from '@parley/server/tools/web/source-numbers';
import { expect, it } from 'vitest';

it('sources are read as they were written, each text on one line', () => {
  const sources = [
    { n: 3, title: 'A [1] title\nof two lines', url: 'https://one.example/?a=b#c', snippet: ' many\n\nlines ' },
    { n: 12, title: '', url: 'https://two.example/', snippet: '' },
  ];
  const text = writeWebSources(sources);
  expect(text).toBe(
    '[3] A [1] title of two lines\nhttps://one.example/?a=b#c\nmany lines\n\n[12] \nhttps://two.example/',
  );
  expect(readWebSources(`The answer.\n\n${text}\n\nPictures: https://img.example/a.jpg`)).toEqual([
    { ...sources[0], title: 'A [1] title of two lines', snippet: 'many lines' },
    sources[1],
  ]);
});

it('titles turn the direction of no text around them', () => {
  const title = 'safe.example\u202egpj.elpmaxe.live\u2066 \u200fa\u061c';
  const [source] = readWebSources(writeWebSources([{ n: 1, title, url: 'https://a.example/', snippet: '' }]));
  expect(source?.title).toBe('safe.examplegpj.elpmaxe.live a');
});

it('other texts have no sources, and neither has an address that is none of the web', () => {
  for (const text of ['', 'Nothing was found.', '[1] Title', '[1] Title\njavascript:alert(1)', '{"a": [1]}'])
    expect(readWebSources(text)).toEqual([]);
});

it('sources of a later run have numbers that none before them had', () => {
  const chosen = { userId: 'u', convoId: 'c', keys: [], files: [], lastSourceNumber: 3 };
  const text = choiceNumbers(chosen)([{ title: 'A', url: 'https://a.example/', snippet: '' }]);
  expect(readWebSources(text)[0]?.n).toBe(4);
});
