import type { Action } from '@parley/schema/assistants/actions';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { putAssistant } from '../../endpoints/assistants/use-assistants.ts';
import { api, trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { useAttempt } from '../use-attempt.ts';
import { actionFormKey, editedActionAtom, setActionFormAtom } from '../builder/builder-state.ts';
import { inputOfAction, type ActionForm } from './action-form.ts';

/** Saves and deletes an action of an assistant, whose functions change with it. */
export function useSaveAction(assistantId: string, saved: Action | null) {
  const { t } = useTranslation();
  const setEdited = useSetAtom(editedActionAtom);
  const setForm = useSetAtom(setActionFormAtom);
  const utils = trpc.useUtils();
  const { isBusy, failure, attempt } = useAttempt();

  /** The list comes first: the editor of a saved action reads it. */
  async function adopt(assistant: Assistant, message: string): Promise<void> {
    putAssistant(assistant);
    await utils.actions.list.invalidate();
    showToast({ message, severity: 'success' });
  }

  async function saveNow(form: ActionForm): Promise<void> {
    const { assistant, action } = await api.assistants.saveAction.mutate(inputOfAction(form, assistantId, saved));
    await adopt(assistant, t('com_actions_saved'));
    setForm(actionFormKey(assistantId, saved?.id ?? null), null);
    setEdited({ assistantId, actionId: action.id });
  }

  async function removeNow(actionId: string): Promise<void> {
    const assistant = await api.assistants.removeAction.mutate({ assistantId, actionId });
    setEdited(null);
    setForm(actionFormKey(assistantId, actionId), null);
    await adopt(assistant, t('com_actions_deleted'));
  }

  return {
    isBusy,
    failure,
    save: (form: ActionForm) =>
      attempt(
        () => saveNow(form),
        (why) => t('com_actions_save_error', { 0: why }),
      ),
    remove: (actionId: string) =>
      attempt(
        () => removeNow(actionId),
        (why) => t('com_actions_delete_error', { 0: why }),
      ),
  };
}
