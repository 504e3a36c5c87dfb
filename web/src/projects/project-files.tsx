import { IconPaperclip } from '@tabler/icons-react';
import { FOLDER_FILES_MAX } from '@parley/schema/convos/folder-rules';
import type { Folder } from '@parley/schema/convos/folders';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshFiles, useFiles } from '../files/files-api.ts';
import { checkFiles, type TypedFile } from '../files/upload/check-files.ts';
import { describeProblem, describeUploadError } from '../files/upload/describe-problem.ts';
import { readFileLimits } from '../files/upload/file-config.ts';
import { reportUploadError } from '../files/upload/report-upload-errors.tsx';
import { withTypes } from '../files/upload/type-of-file.ts';
import { uploadFile } from '../files/upload/upload-file.ts';
import page from '../layout/page/page.module.css';
import { newId } from '../lib/new-id.ts';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { FileRow } from './file-row.tsx';
import classes from './projects.module.css';
import { useSavedFiles } from './use-saved-files.ts';

/** For files that are for no question: the limits are those of every endpoint. */
const ENDPOINT = 'default';

/** The files of a project with what is known of each; one is added or taken out at once. */
export function ProjectFiles({ folder }: { folder: Folder }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { fileIds, change } = useSavedFiles(folder);
  const { uploads, add } = useFolderUploads(FOLDER_FILES_MAX - fileIds.length, (id) =>
    change((before) => [...before, id]),
  );
  const { data, hasFailed, refetch } = useFiles({ enabled: fileIds.length > 0 });
  const files = (data ?? []).filter(({ fileId }) => fileIds.includes(fileId));
  return (
    <>
      {fileIds.length > 0 && !data && !hasFailed && <SkeletonRows count={2} />}
      {fileIds.length > 0 && hasFailed && (
        <p className={page.note} role="alert">
          {t('com_project_files_failed')}{' '}
          <Button size="sm" variant="subtle" onClick={() => void refetch()}>
            {t('com_ui_retry')}
          </Button>
        </p>
      )}
      {fileIds.length + uploads.length === 0 && <p className={page.note}>{t('com_project_files_none')}</p>}
      {files.length + uploads.length > 0 && (
        <ul className={classes.files} aria-label={t('com_ui_folder_files')}>
          {files.map((file) => (
            <FileRow
              key={file.fileId}
              file={file}
              onRemove={() => change((before) => before.filter((id) => id !== file.fileId))}
            />
          ))}
          {uploads.map(({ id, name, progress }) => (
            <li key={id} className={classes.file}>
              <span className={classes.fileName} dir="auto">
                {name}
              </span>
              <span className={classes.fileFact}>{t('com_project_file_uploading')}</span>
              <progress value={progress} max={1} aria-label={name} />
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button size="sm" disabled={fileIds.length >= FOLDER_FILES_MAX} onClick={() => input.current?.click()}>
          <IconPaperclip aria-hidden />
          {t('com_ui_folder_files_add')}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={t('com_ui_folder_files_add')}
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          void add(chosen);
        }}
      />
    </>
  );
}

interface Sending {
  id: string;
  name: string;
  /** From 0 to 1. */
  progress: number;
}

/** Uploads files, at most so many. What fails is reported. */
function useFolderUploads(room: number, onStored: (fileId: string) => void) {
  const { t } = useTranslation();
  const [uploads, setUploads] = useState<readonly Sending[]>([]);
  return { uploads, add };

  async function add(files: readonly File[]): Promise<void> {
    const { accepted, problems } = checkFiles(await withTypes(files), [], await readFileLimits(ENDPOINT));
    for (const { problem, names } of problems) reportUploadError(describeProblem(problem, t), names);
    const left = accepted.slice(room).map(({ file }) => file.name);
    if (left.length > 0) reportUploadError(t('com_ui_folder_files_full', { 0: FOLDER_FILES_MAX }), left);
    await Promise.all(accepted.slice(0, room).map(send));
    await refreshFiles();
  }

  async function send({ file, mime }: TypedFile<File>): Promise<void> {
    const id = newId();
    setUploads((before) => [...before, { id, name: file.name, progress: 0 }]);
    const onProgress = (progress: number) =>
      setUploads((before) => before.map((one) => (one.id === id ? { ...one, progress } : one)));
    try {
      const { signal } = new AbortController();
      const { fileId } = await uploadFile({ id, file, mime, endpoint: ENDPOINT, size: null }, { onProgress, signal });
      onStored(fileId);
    } catch (error) {
      reportUploadError(describeUploadError(error, t), [file.name]);
    } finally {
      setUploads((before) => before.filter((one) => one.id !== id));
    }
  }
}
