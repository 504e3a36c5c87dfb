// Tests of this room: tests/e2e/projects.
import type { FolderFile } from '@parley/schema/convos/folders';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { describeDocument } from '../files/document-status.ts';
import { FileThumbnail } from '../files/file-thumbnail.tsx';
import { formatBytes } from '../files/format-bytes.ts';
import { ReadAgainButton } from '../files/read-again-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import classes from './projects.module.css';

interface FileRowProps {
  /** Without a path where it is another person's, of whom no byte comes here. */
  file: Omit<FolderFile, 'createdAt'> & { path?: string };
  /** Absent where it stays. */
  onRemove?: () => void;
}

/** A file of a project, how far its text is read, and what can be done with it. */
export function FileRow({ file, onRemove }: FileRowProps) {
  const { t } = useTranslation();
  const { fileId, name, document, path, mime } = file;
  return (
    <li className={classes.file}>
      {path !== undefined && <FileThumbnail file={{ path, mime }} />}
      <span className={classes.fileName} dir="auto" data-tooltip={name} data-cut>
        {name}
      </span>
      <FileFact {...file} />
      {path !== undefined && <ReadAgainButton fileId={fileId} name={name} document={document} />}
      {onRemove && (
        <IconButton label={t('com_ui_folder_file_remove', { 0: name })} onClick={onRemove}>
          <IconX aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

function FileFact({ name, bytes, document }: Pick<FolderFile, 'name' | 'bytes' | 'document'>) {
  const { t, i18n } = useTranslation();
  const state = document && (describeDocument(name, document, t) ?? t('com_project_file_read'));
  const facts = [state, formatBytes(bytes, i18n.language)].filter((fact) => fact !== null);
  return (
    <span className={classes.fileFact} data-failed={document?.state === 'failed' || undefined}>
      {facts.join(' · ')}
    </span>
  );
}
