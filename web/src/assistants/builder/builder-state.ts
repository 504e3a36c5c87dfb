// What the builder edits. It outlives the panel, so that closing it, or looking at another section, loses nothing.
import { atom } from 'jotai';
import { personalAtom } from '../../lib/forget-person.ts';
import type { ActionForm } from '../actions/action-form.ts';
import type { BuilderForm } from './builder-form.ts';

/** A new assistant is built, whoever answers the chat. */
export const isNewAtom = personalAtom(() => false);

/** Of assistants with unsaved changes, by id; the new one is under the empty name. */
export const formsAtom = personalAtom<Readonly<Record<string, BuilderForm>>>(() => ({}));

/** Null forgets the changes. */
export const setFormAtom = atom(null, (get, set, assistantId: string, form: BuilderForm | null) => {
  const { [assistantId]: _former, ...others } = get(formsAtom);
  set(formsAtom, form ? { ...others, [assistantId]: form } : others);
});

/** A picture that was chosen for an assistant that does not exist yet. */
export const pendingPhotoAtom = personalAtom<File | null>(() => null);

/** Of actions with unsaved changes, by assistant and action; a new one is under the assistant alone. */
export const actionFormsAtom = personalAtom<Readonly<Record<string, ActionForm>>>(() => ({}));

export function actionFormKey(assistantId: string, actionId: string | null): string {
  return actionId === null ? assistantId : `${assistantId} ${actionId}`;
}

/** Null forgets the changes. */
export const setActionFormAtom = atom(null, (get, set, key: string, form: ActionForm | null) => {
  const { [key]: _former, ...others } = get(actionFormsAtom);
  set(actionFormsAtom, form ? { ...others, [key]: form } : others);
});

/** The action that is edited instead of the assistant. */
export const editedActionAtom = personalAtom<{ assistantId: string; actionId: string | null } | null>(() => null);
