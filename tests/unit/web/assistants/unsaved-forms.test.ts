// @vitest-environment happy-dom
// Unsaved changes of assistants and actions outlive the page, without the keys that were typed, and end at sign-out.
import { createStore } from 'jotai';
import { beforeEach, expect, test, vi } from 'vitest';
import { formOfAction } from '../../../../web/src/assistants/actions/action-form.ts';
import { emptyForm } from '../../../../web/src/assistants/builder/builder-form.ts';
import { parseForm } from '../../../../web/src/lib/parse-form.ts';

const load = () => import('../../../../web/src/assistants/builder/builder-state.ts');

/** As after a reload: the modules read the storage anew. */
async function reload() {
  window.dispatchEvent(new Event('pagehide'));
  vi.resetModules();
  return load();
}

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

test('changes are there again after a reload, until they are saved', async () => {
  const before = await load();
  const form = { ...emptyForm({ endpoint: 'openAI', model: 'gpt-4' }), name: 'Pilot', starters: ['Where?'] };
  createStore().set(before.setFormAtom, 'a1', form);
  const after = await reload();
  const store = createStore();
  expect(store.get(after.formsAtom)).toEqual({ a1: form });
  store.set(after.setFormAtom, 'a1', null);
  const last = await reload();
  expect(createStore().get(last.formsAtom)).toEqual({});
});

test('the key of an action is in no storage', async () => {
  const state = await load();
  const form = { ...formOfAction(null), rawSpec: 'openapi: 3.1.0', apiKey: 'a secret' };
  const store = createStore();
  store.set(state.setActionFormAtom, 'a1', form);
  expect(store.get(state.actionFormsAtom)).toEqual({ a1: form });
  const after = await reload();
  expect(JSON.stringify({ ...localStorage })).not.toContain('a secret');
  expect(createStore().get(after.actionFormsAtom)).toEqual({ a1: { ...form, apiKey: '' } });
});

test('a sign-out deletes them', async () => {
  const state = await load();
  const { clearPersonalData } = await import('../../../../web/src/lib/personal-data.ts');
  createStore().set(state.setFormAtom, '', { ...emptyForm({ endpoint: 'openAI', model: 'gpt-4' }), name: 'Mine' });
  clearPersonalData([]);
  const after = await reload();
  expect(createStore().get(after.formsAtom)).toEqual({});
});

test('a stored form of another shape is not taken', () => {
  const like = emptyForm({ endpoint: '', model: '' });
  expect(parseForm(like, { ...like, starters: [1] })).toBeUndefined();
  expect(parseForm(like, { name: 'x' })).toBeUndefined();
  expect(parseForm(like, { ...like, more: 1 })).toEqual(like);
});
