import type { SearchGroup, SearchPage } from '@parley/schema/search/search';
import { expect, test } from 'vitest';
import { applyChangeToResults } from '../../../../web/src/search/apply-change-to-results.ts';
import { convoOf } from '../sidebar/convos.ts';

function groupOf(id: string): SearchGroup {
  return { convo: convoOf(id), titleParts: [{ text: id, isHit: true }], hits: [], more: 0 };
}

/** Two pages (a b | c). */
function found(): SearchPage[] {
  return [
    { groups: [groupOf('a'), groupOf('b')], nextCursor: 'second' },
    { groups: [groupOf('c')], nextCursor: null },
  ];
}

function idsOf(pages: SearchPage[]): string[][] {
  return pages.map((page) => page.groups.map(({ convo }) => convo.conversationId));
}

test('a renamed conversation stays in the results under its new title', () => {
  const pages = found();
  const changed = applyChangeToResults(pages, { type: 'convo', convo: convoOf('b', 20, { title: 'Bread' }) });
  expect(idsOf(changed)).toEqual([['a', 'b'], ['c']]);
  expect(changed[0]?.groups[1]).toMatchObject({
    convo: { title: 'Bread' },
    titleParts: [{ text: 'Bread', isHit: false }],
  });
  expect(changed[1]).toBe(pages[1]);
});

test('marks stay while the title is unchanged', () => {
  const changed = applyChangeToResults(found(), { type: 'convo', convo: convoOf('a', 20, { isPinned: true }) });
  expect(changed[0]?.groups[0]).toMatchObject({ convo: { isPinned: true }, titleParts: [{ text: 'a', isHit: true }] });
});

test('deleted conversations leave the results; new ones do not enter', () => {
  const pages = found();
  expect(idsOf(applyChangeToResults(pages, { type: 'removed', conversationId: 'c' }))).toEqual([['a', 'b'], []]);
  expect(applyChangeToResults(pages, { type: 'convo', convo: convoOf('d') })).toEqual(pages);
});
