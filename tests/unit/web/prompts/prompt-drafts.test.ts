// @vitest-environment happy-dom
import { createStore } from 'jotai';
import { expect, test } from 'vitest';
import { draftOf, promptDraftsAtom } from '../../../../web/src/prompts/prompt-drafts.ts';

test('what is written into several prompts is kept for each, until it is saved or discarded', () => {
  const store = createStore();
  const first = { ...draftOf(null), title: 'Report' };
  const second = { ...draftOf(null), title: 'Review' };
  store.set(promptDraftsAtom, 'new', first);
  store.set(promptDraftsAtom, second.id, second);
  expect(store.get(promptDraftsAtom)).toEqual({ new: first, [second.id]: second });
  expect(JSON.parse(localStorage.getItem('promptDrafts') ?? '')).toEqual({ new: first, [second.id]: second });
  store.set(promptDraftsAtom, 'new', null);
  expect(store.get(promptDraftsAtom)).toEqual({ [second.id]: second });
});

test('a draft that another tab has written is not lost', () => {
  const store = createStore();
  const other = { ...draftOf(null), title: 'Elsewhere' };
  localStorage.setItem('promptDrafts', JSON.stringify({ other, broken: { title: 1 } }));
  store.set(promptDraftsAtom, 'new', draftOf(null));
  expect(Object.keys(store.get(promptDraftsAtom)).toSorted()).toEqual(['new', 'other']);
});
