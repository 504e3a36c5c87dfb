import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshFiles } from '../files/files-api.ts';
import { describeUploadError } from '../files/upload/describe-problem.ts';
import { reportUploadError } from '../files/upload/report-upload-errors.tsx';
import { uploadFile } from '../files/upload/upload-file.ts';
import { newId } from '../lib/new-id.ts';
import { showToast } from '../ui/toast/toast.ts';

/** For a file that is for no question: the limits are those of every endpoint. */
const ENDPOINT = 'default';

/** Puts a file among those of its person, once for the same name and content, and says what became of it. */
export function useKeepFile() {
  const { t } = useTranslation();
  const [isKeeping, setKeeping] = useState(false);

  async function keep(file: File): Promise<void> {
    if (isKeeping) return;
    setKeeping(true);
    let isKnown = false;
    const { signal } = new AbortController();
    const options = { onProgress: () => {}, onKnown: () => (isKnown = true), signal };
    try {
      await uploadFile({ id: newId(), file, mime: file.type, endpoint: ENDPOINT, size: null, isKept: true }, options);
      await refreshFiles();
      const message = t(isKnown ? 'com_artifact_kept_before' : 'com_artifact_kept', { 0: file.name });
      showToast({ message, severity: 'success' });
    } catch (error) {
      reportUploadError(describeUploadError(error, t), [file.name]);
    } finally {
      setKeeping(false);
    }
  }

  return { keep, isKeeping };
}
