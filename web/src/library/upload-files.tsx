import { IconUpload } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../ui/busy-button.tsx';
import classes from './files-table.module.css';
import { isImageType } from '@parley/schema/files/file-types';
import { newId } from '../lib/new-id.ts';
import { showToast } from '../ui/toast/toast.ts';
import { refreshFiles } from '../files/files-api.ts';
import { checkFiles, type TypedFile } from '../files/upload/check-files.ts';
import { describeProblem, describeUploadError } from '../files/upload/describe-problem.ts';
import { hasFiles, transferredFiles } from '../files/upload/clipboard-files.ts';
import { readFileLimits } from '../files/upload/file-config.ts';
import { readImageSize } from '../files/upload/image-size.ts';
import { reportUploadError } from '../files/upload/report-upload-errors.tsx';
import { withTypes } from '../files/upload/type-of-file.ts';
import { uploadFile } from '../files/upload/upload-file.ts';

/** For files that are for no question: the limits are those of every endpoint. */
const ENDPOINT = 'default';

export interface Uploads {
  /** How much is uploaded, from 0 to 1; null: nothing is on its way. */
  share: number | null;
  choose: () => void;
}

/**
 * Adds files that belong to no question: chosen by `UploadButton`, or dropped or pasted anywhere in the dialog. `input`
 * stands where it stays mounted, whatever is loaded while the person chooses.
 */
export function useUploads(): Uploads & { input: ReactNode } {
  const { t } = useTranslation();
  const element = useRef<HTMLInputElement>(null);
  const { share, upload } = useUploadFiles();
  useDroppedFiles(element, (files) => void upload(files));
  const input = (
    <input
      ref={element}
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
  );
  return { share, choose: () => element.current?.click(), input };
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

/** Puts files among those of their person. */
function useUploadFiles() {
  const { t } = useTranslation();
  const [share, setShare] = useState<number | null>(null);

  async function upload(files: readonly File[]): Promise<void> {
    const { accepted, problems } = checkFiles(await withTypes(files), [], await readFileLimits(ENDPOINT));
    for (const { problem, names } of problems) reportUploadError(describeProblem(problem, t), names);
    if (accepted.length === 0) return;
    const shares = accepted.map(() => 0);
    setShare(0);
    const kept = await Promise.all(
      accepted.map((one, place) =>
        keep(one, (done) => {
          shares[place] = done;
          setShare(shares.reduce((sum, part) => sum + part, 0) / shares.length);
        }),
      ),
    );
    await refreshFiles();
    setShare(null);
    if (kept.some(Boolean)) showToast({ message: t('com_files_ready'), severity: 'success' });
  }

  async function keep({ file, mime }: TypedFile<File>, onProgress: (share: number) => void): Promise<boolean> {
    const size = isImageType(mime) ? await readImageSize(file) : null;
    const { signal } = new AbortController();
    try {
      await uploadFile({ id: newId(), file, mime, endpoint: ENDPOINT, size, isKept: true }, { onProgress, signal });
      return true;
    } catch (error) {
      reportUploadError(describeUploadError(error, t), [file.name]);
      return false;
    }
  }

  return { share, upload };
}
