import type { StoredFile } from '@parley/schema/files/stored-file';
import { useAtom } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { putAssistant } from '../../endpoints/assistants/use-assistants.ts';
import { describeError } from '../../errors/describe-error.ts';
import { refreshFiles, useFiles } from '../../files/files-api.ts';
import { checkFiles } from '../../files/upload/check-files.ts';
import { describeProblem } from '../../files/upload/describe-problem.ts';
import { readFileLimits } from '../../files/upload/file-config.ts';
import { reportUploadError } from '../../files/upload/report-upload-errors.tsx';
import { withTypes } from '../../files/upload/type-of-file.ts';
import { api } from '../../trpc.ts';
import { pendingFilesAtom, type CheckedFile } from './builder-state.ts';
import type { Builder } from './use-builder.ts';
import { useUploads } from './use-uploads.ts';

/**
 * The files of an assistant. They join and leave a saved one at once, without its form being saved; those of a new one
 * wait until it is created.
 */
export function useKnowledge({ saved, canSearch }: Pick<Builder, 'saved' | 'canSearch'>) {
  const { t } = useTranslation();
  const [pending, setPending] = useAtom(pendingFilesAtom);
  const { data = [] } = useFiles({ enabled: saved !== null && saved.fileIds.length > 0 });
  const { uploads, uploadAll } = useUploads();
  const [failure, setFailure] = useState<string | null>(null);
  const stored: readonly StoredFile[] = data.filter(({ fileId }) => saved?.fileIds.includes(fileId));

  async function add(files: readonly File[]): Promise<void> {
    setFailure(null);
    const { accepted, problems } = checkFiles(await withTypes(files), [], await readFileLimits('assistants'));
    for (const { problem, names } of problems) reportUploadError(describeProblem(problem, t), names);
    if (accepted.length === 0) return;
    if (saved) await uploadAll(saved, accepted, canSearch);
    else setPending([...pending, ...accepted]);
  }

  async function remove(fileId: string): Promise<void> {
    if (!saved) return;
    setFailure(null);
    try {
      const fileIds = saved.fileIds.filter((one) => one !== fileId);
      putAssistant(await api.assistants.update.mutate({ assistantId: saved.assistantId, fileIds }));
      await refreshFiles();
    } catch (error) {
      setFailure(t('com_assistants_save_error', { 0: describeError(error, t) }));
    }
  }

  return {
    stored,
    uploads,
    pending: saved ? [] : pending,
    failure,
    add,
    remove,
    removePending: (wanted: CheckedFile) => setPending(pending.filter((one) => one !== wanted)),
  };
}
