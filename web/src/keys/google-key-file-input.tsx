// Tests of this room: tests/unit/web/keys, tests/e2e/endpoints/keys.test.ts.
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FileButton } from '../ui/file-button.tsx';
import { readGoogleKeyFile, type GoogleKeyFile } from './google-key-file.ts';
import classes from './key-dialog.module.css';

/** Chooses the key file of a service account and validates it. */
export function GoogleKeyFileInput({ onFile }: { onFile: (file: GoogleKeyFile | null) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [isGood, setGood] = useState<boolean | null>(null);

  async function take(file: File): Promise<void> {
    const read = await readGoogleKeyFile(file);
    setGood(read !== null);
    onFile(read);
  }

  return (
    <div className={classes.file}>
      <span id={id} className={classes.label}>
        {t('com_endpoint_config_google_service_key')}
      </span>
      <FileButton
        label={t('com_endpoint_config_key_import_json_key')}
        accept=".json,application/json"
        aria-describedby={id}
        data-autofocus
        onFile={(file) => void take(file)}
      />
      <p className={classes.fileStatus} data-good={isGood || undefined} role="status">
        {isGood === true && t('com_endpoint_config_key_import_json_key_success')}
        {isGood === false && t('com_endpoint_config_key_import_json_key_invalid')}
      </p>
    </div>
  );
}
