import '../../locales/load/files.ts';
import { IconDownload, IconFileOff } from '@tabler/icons-react';
import type { FilePart } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '../download-file.ts';
import { FileIcon } from '../file-icon.tsx';
import classes from './message-files.module.css';
import { useIsRemoved } from '../removed-files.ts';
import { formatBytes } from '../format-bytes.ts';

/** A file of a message: its name and size, and a press saves it. */
export function FileRow({ file }: { file: FilePart }) {
  const { t, i18n } = useTranslation();
  const { fileId, name, mime, bytes } = file;
  const isRemoved = useIsRemoved(fileId);
  const size = formatBytes(bytes, i18n.language);
  if (isRemoved) {
    return (
      <span className={classes.missing} role="img" aria-label={t('com_files_picture_missing', { 0: name })}>
        <IconFileOff aria-hidden />
        <span className={classes.pictureName} dir="auto">
          {name}
        </span>
      </span>
    );
  }
  return (
    <button
      type="button"
      className={classes.row}
      data-content
      data-tooltip={name}
      onClick={() => void downloadFile(file, name)}
    >
      <span className={classes.icon}>
        <FileIcon mime={mime} />
      </span>
      <span className={classes.details}>
        <span className={classes.fileName} dir="auto">
          {name}
        </span>
        <span className={classes.size}>{size}</span>
      </span>
      <IconDownload className={classes.download} role="img" aria-label={t('com_files_download')} />
    </button>
  );
}
