import { IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../../ui/busy-button.tsx';
import classes from './files-table.module.css';
import { useUploadFiles } from './use-upload-files.ts';

/** The button that adds files which belong to no question. */
export function UploadFiles() {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { share, upload } = useUploadFiles();
  return (
    <>
      {share !== null && <progress className={classes.progress} value={share} aria-label={t('com_files_uploading')} />}
      <BusyButton size="sm" isBusy={share !== null} onClick={() => input.current?.click()}>
        <IconUpload aria-hidden />
        {t('com_files_upload')}
      </BusyButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={t('com_files_upload')}
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          void upload(chosen);
        }}
      />
    </>
  );
}
