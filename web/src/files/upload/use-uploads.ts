import { isImageType } from '@parley/schema/files/file-types';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '../../lib/new-id.ts';
import { refreshFiles } from '../files-api.ts';
import { checkFiles, type TypedFile } from './check-files.ts';
import { describeProblem, describeUploadError } from './describe-problem.ts';
import { readFileLimits } from './file-config.ts';
import { readImageSize } from './image-size.ts';
import { reportUploadError } from './report-upload-errors.tsx';
import { withTypes } from './type-of-file.ts';
import { uploadFile, type Upload } from './upload-file.ts';

/** A file on its way, or stored while others of its batch still are. */
export interface Sending {
  id: string;
  name: string;
  /** From 0 to 1. */
  progress: number;
}

interface Batch extends Pick<Upload, 'assistantId' | 'isKept'> {
  onStored?: (fileId: string) => void;
  /** Takes what is stored to where it is shown, before `uploads` leaves it out. */
  whenStored?: () => Promise<unknown>;
}

/**
 * Uploads files that are for no question, by the limits of an endpoint; `default` are those of every endpoint. What
 * cannot be uploaded, and what fails, is reported.
 */
export function useUploads(endpoint: string) {
  const { t } = useTranslation();
  const [uploads, setUploads] = useState<readonly Sending[]>([]);
  return { uploads, check, uploadAll };

  /** Resolves to the files that can be uploaded. */
  async function check(files: readonly File[]): Promise<TypedFile<File>[]> {
    const { accepted, problems } = checkFiles(await withTypes(files), [], await readFileLimits(endpoint));
    for (const { problem, names } of problems) reportUploadError(describeProblem(problem, t), names);
    return accepted;
  }

  /** Resolves to how many were stored. */
  async function uploadAll(files: readonly TypedFile<File>[], batch: Batch = {}): Promise<number> {
    const rows = files.map(({ file }) => ({ id: newId(), name: file.name, progress: 0 }));
    const ids = new Set(rows.map(({ id }) => id));
    setUploads((before) => [...before, ...rows]);
    const stored = await Promise.all(files.map((file, n) => send(rows[n]?.id ?? newId(), file, batch)));
    await Promise.all([refreshFiles(), batch.whenStored?.()]).finally(() =>
      setUploads((before) => before.filter(({ id }) => !ids.has(id))),
    );
    return stored.filter(Boolean).length;
  }

  async function send(id: string, { file, mime }: TypedFile<File>, { onStored, ...target }: Batch): Promise<boolean> {
    const update = (change: (before: readonly Sending[]) => readonly Sending[]) => setUploads(change);
    const onProgress = (progress: number) =>
      update((before) => before.map((one) => (one.id === id ? { ...one, progress } : one)));
    try {
      // A picture of the person's own stays one; of any other file the text counts.
      const size = target.isKept && isImageType(mime) ? await readImageSize(file) : null;
      const { signal } = new AbortController();
      const { assistantId, isKept } = target;
      const { fileId } = await uploadFile(
        { id, file, mime, endpoint, size, ...(assistantId && { assistantId }), ...(isKept && { isKept }) },
        { onProgress, signal },
      );
      onStored?.(fileId);
      return true;
    } catch (error) {
      reportUploadError(describeUploadError(error, t), [file.name]);
      update((before) => before.filter((one) => one.id !== id));
      return false;
    }
  }
}
