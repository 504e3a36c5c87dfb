import { IconUpload } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../ui/busy-button.tsx';
import classes from './files-table.module.css';
import { showToast } from '../ui/toast/toast.ts';
import { hasFiles, transferredFiles } from '../files/upload/clipboard-files.ts';
import { useUploads } from '../files/upload/use-uploads.ts';
import { FileInput } from '../ui/file-button.tsx';

export interface Uploads {
  /** How much is uploaded, from 0 to 1; null: nothing is on its way. */
  share: number | null;
  choose: () => void;
}

/**
 * Adds files that belong to no question: chosen by `UploadButton`, or dropped or pasted anywhere in the dialog. `input`
 * stands where it stays mounted, whatever is loaded while the person chooses.
 */
export function useLibraryUploads(): Uploads & { input: ReactNode } {
  const { t } = useTranslation();
  const element = useRef<HTMLInputElement>(null);
  // For files that are for no question: the limits are those of every endpoint.
  const { uploads, check, uploadAll } = useUploads('default');
  const upload = async (files: readonly File[]) => {
    const stored = await uploadAll(await check(files), { isKept: true });
    if (stored > 0) showToast({ message: t('com_files_ready'), severity: 'success' });
  };
  useDroppedFiles(element, (files) => void upload(files));
  return {
    share: uploads.length === 0 ? null : uploads.reduce((sum, { progress }) => sum + progress, 0) / uploads.length,
    choose: () => element.current?.click(),
    input: <FileInput ref={element} multiple label={t('com_files_upload')} onFiles={(files) => void upload(files)} />,
  };
}

export function UploadButton({ share, choose }: Uploads) {
  const { t } = useTranslation();
  return (
    <>
      {share !== null && <progress className={classes.progress} value={share} aria-label={t('com_files_uploading')} />}
      <BusyButton size="sm" isBusy={share !== null} onClick={choose}>
        <IconUpload aria-hidden />
        {t('com_files_upload')}
      </BusyButton>
    </>
  );
}

/** Hears the drops and pastes in the dialog, or the page, that an element stands in. */
function useDroppedFiles(element: RefObject<HTMLElement | null>, onFiles: (files: readonly File[]) => void): void {
  const take = useEffectEvent((event: Event, data: DataTransfer | null) => {
    const files = transferredFiles(data);
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  });
  useEffect(() => {
    const place = element.current?.closest<HTMLElement>('[role="dialog"]') ?? document.body;
    const ending = new AbortController();
    const { signal } = ending;
    place.addEventListener('dragover', (event) => hasFiles(event.dataTransfer) && event.preventDefault(), { signal });
    place.addEventListener('drop', (event) => take(event, event.dataTransfer), { signal });
    place.addEventListener('paste', (event) => take(event, event.clipboardData), { signal });
    return () => ending.abort();
  }, [element]);
}
