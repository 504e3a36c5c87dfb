import { IconRefresh } from '@tabler/icons-react';
import type { DocumentStatus } from '@parley/schema/files/documents';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { canReadAgain } from './document-status.ts';
import { readAgain } from './files-api.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';

interface ReadAgainButtonProps {
  fileId: string;
  name: string;
  document: DocumentStatus | null;
}

/** Has a text read again that could not be read; nothing where another try would end like the one before. */
export function ReadAgainButton({ fileId, name, document }: ReadAgainButtonProps) {
  const { t } = useTranslation();
  const showError = useShowError();
  const [isBusy, setBusy] = useState(false);
  if (!canReadAgain(document)) return null;

  async function again(): Promise<void> {
    setBusy(true);
    try {
      await readAgain(fileId);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <IconButton label={t('com_files_document_again', { 0: name })} disabled={isBusy} onClick={() => void again()}>
      <IconRefresh aria-hidden />
    </IconButton>
  );
}
