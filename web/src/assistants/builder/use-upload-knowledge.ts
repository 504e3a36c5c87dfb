import type { Assistant } from '@parley/schema/assistants/assistants';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { putAssistant } from '../../endpoints/use-assistants.ts';
import { refreshFiles } from '../../files/files-api.ts';
import { checkFiles } from '../../files/upload/check-files.ts';
import { describeProblem, describeUploadError } from '../../files/upload/describe-problem.ts';
import { readFileLimits } from '../../files/upload/file-config.ts';
import { reportUploadError } from '../../files/upload/report-upload-errors.tsx';
import { withTypes } from '../../files/upload/type-of-file.ts';
import { uploadFile } from '../../files/upload/upload-file.ts';
import { newId } from '../../lib/new-id.ts';
import { api } from '../../trpc.ts';

/** A file on its way; `progress` is from 0 to 1. */
export interface Sending {
  id: string;
  name: string;
  progress: number;
}

/** Uploads files for an assistant. What cannot be uploaded is reported; the rest joins the assistant. */
export function useUploadKnowledge(assistant: Assistant | null, endpoint: string) {
  const { t } = useTranslation();
  const [uploads, setUploads] = useState<readonly Sending[]>([]);

  async function upload(files: readonly File[]): Promise<void> {
    if (!assistant || files.length === 0) return;
    const { assistantId } = assistant;
    const { accepted, problems } = checkFiles(await withTypes(files), [], await readFileLimits(endpoint));
    for (const { problem, names } of problems) reportUploadError(describeProblem(problem, t), names);
    await Promise.all(accepted.map(({ file, mime }) => send(file, mime, assistantId)));
    if (accepted.length === 0) return;
    const [saved] = await Promise.all([api.assistants.get.query({ assistantId }), refreshFiles()]);
    putAssistant(saved);
  }

  async function send(file: File, mime: string, assistantId: string): Promise<void> {
    const id = newId();
    setUploads((before) => [...before, { id, name: file.name, progress: 0 }]);
    const onProgress = (progress: number) =>
      setUploads((before) => before.map((one) => (one.id === id ? { ...one, progress } : one)));
    try {
      const { signal } = new AbortController();
      await uploadFile({ id, file, mime, endpoint, size: null, assistantId }, { onProgress, signal });
    } catch (error) {
      reportUploadError(describeUploadError(error, t), [file.name]);
    } finally {
      setUploads((before) => before.filter((one) => one.id !== id));
    }
  }

  return { uploads, upload };
}
