import { IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../../ui/busy-button.tsx';
import classes from './files-table.module.css';
import { isImageType } from '@parley/schema/files/file-types';
import { newId } from '../../lib/new-id.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { refreshFiles } from '../files-api.ts';
import { checkFiles, type TypedFile } from '../upload/check-files.ts';
import { describeProblem, describeUploadError } from '../upload/describe-problem.ts';
import { readFileLimits } from '../upload/file-config.ts';
import { readImageSize } from '../upload/image-size.ts';
import { reportUploadError } from '../upload/report-upload-errors.tsx';
import { withTypes } from '../upload/type-of-file.ts';
import { uploadFile } from '../upload/upload-file.ts';

/** For files that are for no question: the limits are those of every endpoint. */
const ENDPOINT = 'default';

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

/** Puts files among those of their person. `share` is how much of them is uploaded, from 0 to 1; null: none is on its way. */
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
