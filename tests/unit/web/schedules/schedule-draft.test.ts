// @vitest-environment happy-dom
import { createStore } from 'jotai';
import { expect, test } from 'vitest';
import { scheduleDraftsAtom, scheduleToDraft } from '../../../../web/src/schedules/schedule-draft.ts';

test('what is typed into the form of a schedule is stored as it is, and what is broken there is left out', () => {
  const store = createStore();
  const settings = { temperature: 0.5 };
  const choice = { endpoint: 'openAI', model: 'gpt-4', settings, presetId: 'one' };
  const draft = { ...scheduleToDraft(null, choice, 'What is new?'), title: 'News' };
  const { when: _when, ...broken } = draft;
  localStorage.setItem('scheduleDrafts', JSON.stringify({ broken, kept: { ...draft, id: 'kept' } }));
  store.set(scheduleDraftsAtom, 'new', draft);
  expect(store.get(scheduleDraftsAtom)).toEqual({ new: draft, kept: { ...draft, id: 'kept' } });
  store.set(scheduleDraftsAtom, 'new', null);
  expect(Object.keys(JSON.parse(localStorage.getItem('scheduleDrafts') ?? ''))).toEqual(['kept']);
});
