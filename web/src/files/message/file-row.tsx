import { IconDownload, IconFileOff } from '@tabler/icons-react';
import type { FilePart } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import { downloadFile } from '../download-file.ts';
import { useExists } from '../file-exists.ts';
import { FilePreview } from '../file-preview.tsx';
import { formatBytes } from '../format-bytes.ts';
import { useShowFile } from '../open-file.ts';
import { useIsRemoved } from '../removed-files.ts';
import classes from './message-files.module.css';

/** A file of a message: a press on its name shows it, one on its arrow saves it. */
export function FileRow({ file }: { file: FilePart }) {
  const { t, i18n } = useTranslation();
  const show = useShowFile();
  const { fileId, name, mime, bytes, path } = file;
  // Visitors of a shared conversation cannot ask.
  const exists = useExists(fileId, path.startsWith('/api/files/'));
  const isRemoved = useIsRemoved(fileId) || !exists;
  const size = formatBytes(bytes, i18n.language);
  if (isRemoved) {
    return (
      <span className={classes.missing} role="img" aria-label={t('com_files_picture_missing', { 0: name })}>
        <IconFileOff aria-hidden />
        <span className="ellipsis" dir="auto">
          {name}
        </span>
      </span>
    );
  }
  return (
    <span className={classes.row}>
      <button type="button" className={classes.opener} data-content data-tooltip={name} onClick={() => show(file)}>
        <FilePreview className={classes.icon} path={path} mime={mime} />
        <span className={classes.details}>
          <span className={classes.fileName} dir="auto">
            {name}
          </span>
          <span className="small">{size}</span>
        </span>
      </button>
      <IconButton
        label={t('com_files_download_named', { 0: name, 1: size })}
        onClick={() => void downloadFile(file, name)}
      >
        <IconDownload aria-hidden />
      </IconButton>
    </span>
  );
}
