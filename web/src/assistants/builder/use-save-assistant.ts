import type { Assistant } from '@parley/schema/assistants/assistants';
import { useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { dropAssistant, putAssistant, restoreAssistant } from '../../endpoints/assistants/use-assistants.ts';
import { describeError } from '../../errors/describe-error.ts';
import { describeUploadError } from '../../files/upload/describe-problem.ts';
import { i18n } from '../../i18n.ts';
import { api } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { showUndo } from '../../ui/toast/undo.ts';
import { ASSISTANTS_PATH, pathOfAssistant } from '../assistant-paths.ts';
import { useAttempt } from '../use-attempt.ts';
import { assistantInput } from './builder-form.ts';
import { pendingFilesAtom, pendingPhotoAtom } from './builder-state.ts';
import { uploadPhoto } from './upload-photo.ts';
import type { Builder } from './use-builder.ts';
import { useKnowledgeUploads } from './use-knowledge-uploads.ts';

/**
 * Saves and deletes the assistant of the builder. `failure` is the sentence of the last attempt, null if it worked. What
 * was created and deleted leads to the pages of assistants, unless `onCreated` says what comes next.
 */
export function useSaveAssistant(
  { form, saved, discard, canSearch }: Builder,
  onCreated?: (assistant: Assistant) => void,
) {
  const { t } = useTranslation();
  const [photo, setPhoto] = useAtom(pendingPhotoAtom);
  const [files, setFiles] = useAtom(pendingFilesAtom);
  const { join } = useKnowledgeUploads();
  const { isBusy, failure, attempt } = useAttempt();
  const nameOf = ({ name }: Assistant) => name || t('com_assistants_unnamed');

  async function create(): Promise<void> {
    const created = await api.assistants.create.mutate(
      assistantInput(form, null, { hasFiles: files.length > 0, canSearch }),
    );
    const withImage = photo ? await withPhoto(created, photo) : created;
    putAssistant(withImage);
    // Its page is here from now on: what fails below is told, and can be done again there.
    discard();
    setPhoto(null);
    setFiles([]);
    if (files.length > 0) await join(withImage, files, canSearch).catch(reportFailure);
    if (onCreated) onCreated(created);
    else navigate(pathOfAssistant(created.assistantId), { replace: true });
    report(t('com_assistants_created', { 0: nameOf(created) }));
  }

  async function update(before: Assistant): Promise<void> {
    const { assistantId, fileIds } = before;
    const input = assistantInput(form, before, { hasFiles: fileIds.length > 0, canSearch });
    const assistant = await api.assistants.update.mutate({ assistantId, ...input });
    putAssistant(assistant);
    discard();
    report(t('com_assistants_saved', { 0: nameOf(assistant) }));
  }

  async function removeNow(assistant: Assistant): Promise<void> {
    const { assistantId } = assistant;
    const { deletionId } = await api.assistants.remove.mutate({ assistantId });
    discard();
    dropAssistant(assistantId);
    if (!onCreated) navigate(ASSISTANTS_PATH, { replace: true });
    showUndo(t('com_assistants_deleted_named', { 0: nameOf(assistant) }), () => {
      void restoreAssistant(deletionId).then(
        (isBack) => isBack && !onCreated && navigate(pathOfAssistant(assistantId)),
      );
    });
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
        () => removeNow(saved),
        (why) => t('com_assistants_delete_error', { 0: why }),
      ),
  };
}

/** The assistant is there, with or without its image. */
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

function reportFailure(error: unknown): void {
  const message = i18n.t('com_assistants_save_error', { 0: describeError(error, i18n.t) });
  showToast({ message, severity: 'error', duration: 5_000 });
}

function report(message: string): void {
  showToast({ message, severity: 'success' });
}
