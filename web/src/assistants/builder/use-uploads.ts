import type { Assistant } from '@parley/schema/assistants/assistants';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { putAssistant } from '../../endpoints/assistants/use-assistants.ts';
import { refreshFiles } from '../../files/files-api.ts';
import { describeUploadError } from '../../files/upload/describe-problem.ts';
import { reportUploadError } from '../../files/upload/report-upload-errors.tsx';
import { uploadFile } from '../../files/upload/upload-file.ts';
import { newId } from '../../lib/new-id.ts';
import { api } from '../../trpc.ts';
import type { CheckedFile } from './builder-state.ts';

const ENDPOINT = 'assistants';

/** A file on its way; `progress` is from 0 to 1. */
export interface Sending {
  id: string;
  name: string;
  progress: number;
}

/** Uploads files that were checked for an assistant. What fails is reported; the rest joins the assistant. */
export function useUploads() {
  const { t } = useTranslation();
  const [uploads, setUploads] = useState<readonly Sending[]>([]);

  /** `searches` is whether the assistant is to search its files, without which they would be of no use to it. */
  async function uploadAll(assistant: Assistant, files: readonly CheckedFile[], searches: boolean): Promise<Assistant> {
    const { assistantId, tools } = assistant;
    await Promise.all(files.map((file) => send(file, assistantId)));
    const needsSearch = searches && !tools.some(({ type }) => type === 'retrieval');
    const [saved] = await Promise.all([
      needsSearch
        ? api.assistants.update.mutate({ assistantId, tools: [...tools, { type: 'retrieval' }] })
        : api.assistants.get.query({ assistantId }),
      refreshFiles(),
    ]);
    putAssistant(saved);
    return saved;
  }

  async function send({ file, mime }: CheckedFile, assistantId: string): Promise<void> {
    const id = newId();
    setUploads((before) => [...before, { id, name: file.name, progress: 0 }]);
    const onProgress = (progress: number) =>
      setUploads((before) => before.map((one) => (one.id === id ? { ...one, progress } : one)));
    try {
      const { signal } = new AbortController();
      await uploadFile({ id, file, mime, endpoint: ENDPOINT, size: null, assistantId }, { onProgress, signal });
    } catch (error) {
      reportUploadError(describeUploadError(error, t), [file.name]);
    } finally {
      setUploads((before) => before.filter((one) => one.id !== id));
    }
  }

  return { uploads, uploadAll };
}
