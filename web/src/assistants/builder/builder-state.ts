// What the builder edits. It outlives the page, so that leaving it or a reload loses nothing. Signing out deletes it.
import type { TypedFile } from '../../files/upload/check-files.ts';
import { isObject } from '@parley/schema/json';
import { atom } from 'jotai';
import { personalAtom } from '../../lib/personal-data.ts';
import { createStoredMap } from '../../lib/stored-map.ts';
import { formOfAction, LONG_DOCUMENT, type ActionForm } from '../actions/action-form.ts';
import { emptyForm, type BuilderForm } from './builder-form.ts';
import { parseForm } from '../../lib/parse-form.ts';

/** Documents of actions can be long, and storage is small. */
const FORMS_MAX = 10;

const forms = createStoredMap<BuilderForm>({
  storageKey: 'assistant-forms',
  most: FORMS_MAX,
  // Earlier versions had no endpoint.
  parse: (stored) =>
    parseForm(emptyForm({ endpoint: '', model: '' }), isObject(stored) ? { endpoint: '', ...stored } : stored),
});

/** Of assistants with unsaved changes, by id; the new one is under the empty name. */
export const formsAtom = forms.all;

/** Null forgets the changes. */
export const setFormAtom = atom(null, (_get, set, assistantId: string, form: BuilderForm | null) => {
  set(forms.entry(assistantId), form ?? undefined);
});

/** An image that was chosen for an assistant that does not exist yet. */
export const pendingPhotoAtom = personalAtom<File | null>(() => null);

/** Files that were chosen for an assistant that does not exist yet. */
export const pendingFilesAtom = personalAtom<readonly TypedFile<File>[]>(() => []);

const UNCHOSEN = { isChosen: false, operations: [] };

const actionForms = createStoredMap<ActionForm>({
  storageKey: 'action-forms',
  most: FORMS_MAX,
  // Earlier versions had no choice of operations.
  parse: (stored) => parseForm(formOfAction(null), isObject(stored) ? { ...UNCHOSEN, ...stored } : stored),
});

/** Keys that were typed are never stored: they end with the page. */
const typedKeysAtom = personalAtom<Readonly<Record<string, string>>>(() => ({}));

/** Forms whose document is too long for the storage: they end with the page. */
const longFormsAtom = personalAtom<Readonly<Record<string, ActionForm>>>(() => ({}));

/** Of actions with unsaved changes, by assistant and action; a new one is under the assistant alone. */
export const actionFormsAtom = atom((get) => {
  const typed = get(typedKeysAtom);
  const entries = Object.entries(get(actionForms.all));
  const stored = entries.map(([key, form]) => [key, { ...form, apiKey: typed[key] ?? '' }] as const);
  return { ...Object.fromEntries(stored), ...get(longFormsAtom) };
});

export function actionFormKey(assistantId: string, actionId: string | null): string {
  return actionId === null ? assistantId : `${assistantId} ${actionId}`;
}

/** Null forgets the changes. */
export const setActionFormAtom = atom(null, (get, set, key: string, form: ActionForm | null) => {
  const { [key]: _former, ...others } = get(typedKeysAtom);
  set(typedKeysAtom, form?.apiKey ? { ...others, [key]: form.apiKey } : others);
  const isLong = form !== null && form.rawSpec.length > LONG_DOCUMENT;
  const { [key]: _long, ...otherLong } = get(longFormsAtom);
  set(longFormsAtom, isLong ? { ...otherLong, [key]: form } : otherLong);
  set(actionForms.entry(key), form && !isLong ? { ...form, apiKey: '' } : undefined);
});

// A page that is left does not come to the pending write.
window.addEventListener('pagehide', () => {
  forms.flush();
  actionForms.flush();
});

/** The action that is edited instead of the assistant. */
export const editedActionAtom = personalAtom<{ assistantId: string; actionId: string | null } | null>(() => null);
