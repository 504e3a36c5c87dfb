import '@mantine/core/styles/Button.css';
import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readGoogleKeyFile, type GoogleKeyFile } from './google-key-file.ts';
import classes from './key-dialog.module.css';

/** Chooses the key file of a service account and says whether it is one. */
export function GoogleFile({ onFile }: { onFile: (file: GoogleKeyFile | null) => void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const [isGood, setGood] = useState<boolean | null>(null);

  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    const read = await readGoogleKeyFile(file);
    setGood(read !== null);
    onFile(read);
    // The same file again is a change again.
    if (input.current) input.current.value = '';
  }

  return (
    <div className={classes.file}>
      <span id={id} className={classes.label}>
        {t('com_endpoint_config_google_service_key')}
      </span>
      <Button
        variant="default"
        leftSection={<IconFileImport size={16} stroke={1.6} aria-hidden />}
        aria-describedby={id}
        onClick={() => input.current?.click()}
        data-autofocus
      >
        {t('com_endpoint_config_key_import_json_key')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label={t('com_endpoint_config_key_import_json_key')}
        tabIndex={-1}
        hidden
        onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
      />
      <p className={classes.verdict} data-good={isGood || undefined} role="status">
        {isGood === true && t('com_endpoint_config_key_import_json_key_success')}
        {isGood === false && t('com_endpoint_config_key_import_json_key_invalid')}
      </p>
    </div>
  );
}
