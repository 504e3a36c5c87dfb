import type { Assistant } from '@parley/schema/assistants/assistants';
import { useAtom, useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { dropAssistant, putAssistant } from '../../endpoints/use-assistants.ts';
import { i18n } from '../../i18n.ts';
import { api } from '../../trpc.ts';
import { useSlotIndex } from '../../slots/slot.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { remember } from '../remembered-assistant.ts';
import { useAttempt } from '../use-attempt.ts';
import { useChooseAssistant } from '../use-choose-assistant.ts';
import { inputOf } from './builder-form.ts';
import { isNewAtom, pendingPhotoAtom } from './builder-state.ts';
import { describeUploadError } from '../../files/upload/describe-problem.ts';
import { uploadPhoto } from './upload-photo.ts';
import type { Builder } from './use-builder.ts';

/** Saves and deletes the assistant of the builder. `failure` is the sentence of the last attempt, null if it worked. */
export function useSaveAssistant({ form, saved, discard, retrievalModels, chat }: Builder) {
  const { t } = useTranslation();
  const choose = useChooseAssistant(chat);
  const index = useSlotIndex();
  const setNew = useSetAtom(isNewAtom);
  const [photo, setPhoto] = useAtom(pendingPhotoAtom);
  const { isBusy, failure, attempt } = useAttempt();

  async function create(): Promise<void> {
    const created = await api.assistants.create.mutate(inputOf(form, null, retrievalModels));
    const assistant = photo ? await withPhoto(created, photo) : created;
    setPhoto(null);
    putAssistant(assistant);
    discard();
    setNew(false);
    choose(assistant);
    tell(t('com_assistants_created', { 0: assistant.name || t('com_assistants_unnamed') }));
  }

  async function update({ assistantId, tools, metadata }: Assistant): Promise<void> {
    const input = inputOf(form, { tools, metadata }, retrievalModels);
    const assistant = await api.assistants.update.mutate({ assistantId, ...input });
    putAssistant(assistant);
    discard();
    choose(assistant);
    tell(t('com_assistants_saved', { 0: assistant.name || t('com_assistants_unnamed') }));
  }

  async function removeNow(assistantId: string): Promise<void> {
    await api.assistants.remove.mutate({ assistantId });
    discard();
    remember(index, null);
    const [first] = dropAssistant(assistantId);
    if (first) choose(first);
    tell(t('com_assistants_deleted'));
  }

  return {
    isBusy,
    failure,
    save: () =>
      saved
        ? attempt(
            () => update(saved),
            (why) => t('com_assistants_save_error', { 0: why }),
          )
        : attempt(create, (why) => t('com_assistants_create_error', { 0: why })),
    remove: () =>
      saved &&
      attempt(
        () => removeNow(saved.assistantId),
        (why) => t('com_assistants_delete_error', { 0: why }),
      ),
  };
}

/** The assistant is there, with or without its picture. */
async function withPhoto(created: Assistant, file: File): Promise<Assistant> {
  const { assistantId } = created;
  try {
    await uploadPhoto(assistantId, file);
    return await api.assistants.get.query({ assistantId });
  } catch (error) {
    showToast({ message: describeUploadError(error, i18n.t), severity: 'error', duration: 5_000 });
    return created;
  }
}

function tell(message: string): void {
  showToast({ message, severity: 'success' });
}
