// The numbers of the passages that a reply was given, across its runs.
import { continuePassages, withShownPassages } from '@parley/server/chat/context/files/shown-passages';
import type { ShownPassage } from '@parley/server/retrieval/cite';
import { expect, test } from 'vitest';

const passage = (fileId: string, n: number): ShownPassage => ({
  fileId,
  name: fileId,
  n,
  page: null,
  heading: null,
  body: '',
});
const found = [passage('a', 1), passage('b', 2)];
const searched = passage('a', 9);

test('a reply goes on with the passages that its earlier run searched', () => {
  expect(continuePassages(found, [...found, searched])).toEqual([...found, searched]);
  expect(continuePassages(found, [])).toEqual(found);
  expect(continuePassages(found, [passage('b', 2), searched])).toEqual(found);
});

test('the record has each passage with its number, whatever its file', () => {
  const shown = { shown: 'passages' as const, passages: [] };
  const files = [
    { fileId: 'a', name: 'a', ...shown },
    { fileId: 'b', name: 'b', ...shown },
  ];
  const context = { window: 1, included: 1, omitted: 0, files };
  expect(withShownPassages(context, [...found, searched]).files).toEqual([
    {
      fileId: 'a',
      name: 'a',
      shown: 'passages',
      passages: [
        { n: 1, page: null, number: 1 },
        { n: 9, page: null, number: 3 },
      ],
    },
    { fileId: 'b', name: 'b', shown: 'passages', passages: [{ n: 2, page: null, number: 2 }] },
  ]);
});
