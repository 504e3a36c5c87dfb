import { IconPaperclip } from '@tabler/icons-react';
import { FOLDER_FILES_MAX } from '@parley/schema/convos/folder-rules';
import type { Folder } from '@parley/schema/convos/folders';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFiles } from '../files/files-api.ts';
import { reportUploadError } from '../files/upload/report-upload-errors.tsx';
import { useUploads } from '../files/upload/use-uploads.ts';
import page from '../layout/page/page.module.css';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { Button } from '../ui/button.tsx';
import { FilesButton } from '../ui/file-button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { FileRow } from './file-row.tsx';
import { ProjectSets } from './project-sets.tsx';
import classes from './projects.module.css';
import { useSavedFiles } from './use-saved-files.ts';

/** The files of a project with what is known of each; one is added or taken out at once. */
export function ProjectFiles({ folder }: { folder: Folder }) {
  const { t } = useTranslation();
  const { fileIds, change } = useSavedFiles(folder);
  // For files that are for no question: the limits are those of every endpoint.
  const { uploads, check, uploadAll } = useUploads('default');
  const { data, hasFailed, refetch } = useFiles({ enabled: fileIds.length > 0 });
  const files = (data ?? []).filter(({ fileId }) => fileIds.includes(fileId));

  const { list, addButton, noteRemoval } = useFocusAfterRemoval(files.length);

  async function add(chosen: readonly File[]): Promise<void> {
    const accepted = await check(chosen);
    const room = FOLDER_FILES_MAX - fileIds.length;
    const left = accepted.slice(room).map(({ file }) => file.name);
    if (left.length > 0) reportUploadError(t('com_ui_folder_files_full', { 0: FOLDER_FILES_MAX }), left);
    await uploadAll(accepted.slice(0, room), { onStored: (id) => change((before) => [...before, id]) });
  }

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
      {fileIds.length + uploads.length + folder.setIds.length === 0 && (
        <p className={page.note}>{t('com_project_files_none')}</p>
      )}
      {files.length + uploads.length > 0 && (
        <ul ref={list} aria-label={t('com_ui_folder_files')}>
          {files.map((file, at) => (
            <FileRow
              key={file.fileId}
              file={file}
              onRemove={() => {
                noteRemoval(at);
                change((before) => before.filter((id) => id !== file.fileId));
              }}
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
      <ProjectSets folder={folder}>
        <FilesButton
          ref={addButton}
          size="sm"
          multiple
          disabled={fileIds.length >= FOLDER_FILES_MAX}
          icon={<IconPaperclip aria-hidden />}
          label={t('com_ui_folder_files_add')}
          onFiles={(chosen) => void add(chosen)}
        />
      </ProjectSets>
    </>
  );
}

/** The row that goes takes the focus with it: the one in its place gets it, or the button below once none is left. */
function useFocusAfterRemoval(count: number) {
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const removed = useRef<number | null>(null);
  useEffect(() => {
    const at = removed.current;
    if (at === null) return;
    removed.current = null;
    const row = list.current?.children[Math.min(at, count - 1)];
    focusIfLost(row?.querySelector<HTMLElement>('button:last-of-type') ?? addButton.current);
  }, [count]);
  return { list, addButton, noteRemoval: (at: number) => void (removed.current = at) };
}
