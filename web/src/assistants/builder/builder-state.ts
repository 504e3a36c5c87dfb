// What the builder edits. It outlives the page, so that leaving it or a reload loses nothing. Signing out deletes it.
import { atom } from 'jotai';
import { personalAtom } from '../../lib/personal-data.ts';
import { createStoredMap } from '../../lib/stored-map.ts';
import { formOfAction, type ActionForm } from '../actions/action-form.ts';
import { emptyForm, type BuilderForm } from './builder-form.ts';
import { isRecord } from '../../lib/is-record.ts';
import { parseForm } from '../../lib/parse-form.ts';

/** Documents of actions can be long, and storage is small. */
const FORMS = 10;

const forms = createStoredMap<BuilderForm>({
  storageKey: 'assistant-forms',
  most: FORMS,
  // Earlier versions had no endpoint.
  parse: (stored) =>
    parseForm(emptyForm({ endpoint: '', model: '' }), isRecord(stored) ? { endpoint: '', ...stored } : stored),
});

/** Of assistants with unsaved changes, by id; the new one is under the empty name. */
export const formsAtom = forms.all;

/** Null forgets the changes. */
export const setFormAtom = atom(null, (_get, set, assistantId: string, form: BuilderForm | null) => {
  set(forms.entry(assistantId), form ?? undefined);
});

/** A picture that was chosen for an assistant that does not exist yet. */
export const pendingPhotoAtom = personalAtom<File | null>(() => null);

/** A file that was checked, with its type. */
export interface CheckedFile {
  file: File;
  mime: string;
}

/** Files that were chosen for an assistant that does not exist yet. */
export const pendingFilesAtom = personalAtom<readonly CheckedFile[]>(() => []);

const actionForms = createStoredMap<ActionForm>({
  storageKey: 'action-forms',
  most: FORMS,
  parse: (stored) => parseForm(formOfAction(null), stored),
});

/** Keys that were typed are never stored: they end with the page. */
const typedKeysAtom = personalAtom<Readonly<Record<string, string>>>(() => ({}));

/** Of actions with unsaved changes, by assistant and action; a new one is under the assistant alone. */
export const actionFormsAtom = atom((get) => {
  const typed = get(typedKeysAtom);
  const entries = Object.entries(get(actionForms.all));
  return Object.fromEntries(entries.map(([key, form]) => [key, { ...form, apiKey: typed[key] ?? '' }]));
});

export function actionFormKey(assistantId: string, actionId: string | null): string {
  return actionId === null ? assistantId : `${assistantId} ${actionId}`;
}

/** Null forgets the changes. */
export const setActionFormAtom = atom(null, (get, set, key: string, form: ActionForm | null) => {
  const { [key]: _former, ...others } = get(typedKeysAtom);
  set(typedKeysAtom, form?.apiKey ? { ...others, [key]: form.apiKey } : others);
  set(actionForms.entry(key), form ? { ...form, apiKey: '' } : undefined);
});

// A page that is left does not come to the pending write.
window.addEventListener('pagehide', () => {
  forms.flush();
  actionForms.flush();
});

/** The action that is edited instead of the assistant. */
export const editedActionAtom = personalAtom<{ assistantId: string; actionId: string | null } | null>(() => null);
