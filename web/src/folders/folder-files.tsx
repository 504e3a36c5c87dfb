import { IconPaperclip, IconX } from '@tabler/icons-react';
import { FOLDER_FILES_MAX } from '@parley/schema/convos/folder-rules';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeDocument } from '../files/document-status.ts';
import { FileThumbnail } from '../files/file-thumbnail.tsx';
import { refreshFiles, useFiles } from '../files/files-api.ts';
import { formatBytes } from '../files/format-bytes.ts';
import { checkFiles, type TypedFile } from '../files/upload/check-files.ts';
import { describeProblem, describeUploadError } from '../files/upload/describe-problem.ts';
import { readFileLimits } from '../files/upload/file-config.ts';
import { reportUploadError } from '../files/upload/report-upload-errors.tsx';
import { withTypes } from '../files/upload/type-of-file.ts';
import { uploadFile } from '../files/upload/upload-file.ts';
import { newId } from '../lib/new-id.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import classes from './folder.module.css';

/** For files that are for no question: the limits are those of every endpoint. */
const ENDPOINT = 'default';

interface FolderFilesProps {
  fileIds: readonly string[];
  /** Gets a function of the ids before it: several uploads may end at once. */
  onChange: (change: (before: readonly string[]) => readonly string[]) => void;
}

/** The files of a folder. They are uploaded at once, and belong to the folder when its form is saved. */
export function FolderFiles({ fileIds, onChange }: FolderFilesProps) {
  const { t, i18n } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { uploads, add } = useFolderUploads(FOLDER_FILES_MAX - fileIds.length, (id) =>
    onChange((before) => [...before, id]),
  );
  const { data = [] } = useFiles({ enabled: fileIds.length > 0 });
  const files = data.filter(({ fileId }) => fileIds.includes(fileId));
  return (
    <section aria-label={t('com_ui_folder_files')}>
      <h3 className={classes.legend}>{t('com_ui_folder_files')}</h3>
      <p className="hint">{t('com_ui_folder_files_hint')}</p>
      {files.length + uploads.length > 0 && (
        <ul className={classes.files}>
          {files.map((file) => (
            <li key={file.fileId} className={classes.file}>
              <FileThumbnail file={file} />
              <span className={classes.fileName} dir="auto" data-tooltip={file.name} data-cut>
                {file.name}
              </span>
              <span className={classes.fileFact}>
                {(file.document && describeDocument(file.name, file.document, t)) ??
                  formatBytes(file.bytes, i18n.language)}
              </span>
              <IconButton
                type="button"
                label={t('com_ui_folder_file_remove', { 0: file.name })}
                onClick={() => onChange((before) => before.filter((id) => id !== file.fileId))}
              >
                <IconX aria-hidden />
              </IconButton>
            </li>
          ))}
          {uploads.map(({ id, name, progress }) => (
            <li key={id} className={classes.file}>
              <span className={classes.fileName} dir="auto">
                {name}
              </span>
              <progress value={progress} max={1} aria-label={name} />
            </li>
          ))}
        </ul>
      )}
      <Button
        size="sm"
        type="button"
        disabled={fileIds.length >= FOLDER_FILES_MAX}
        onClick={() => input.current?.click()}
      >
        <IconPaperclip aria-hidden />
        {t('com_ui_folder_files_add')}
      </Button>
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
    </section>
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
