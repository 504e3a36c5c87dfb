import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../lib/save-file.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { useShowError } from '../ui/toast/use-show-error.ts';

/** Saves the lines that `read` resolves to as a file. */
export function ExportButton({ fileName, read }: { fileName: string; read: () => Promise<string[]> }) {
  const { t } = useTranslation();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => saveFile(new Blob(await read(), { type: 'text/csv' }), fileName),
    onError: useShowError(),
  });
  return (
    <BusyButton isBusy={isPending} onClick={() => mutate()}>
      {t('com_audit_export')}
    </BusyButton>
  );
}
