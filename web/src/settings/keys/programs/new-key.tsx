import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../../../content/use-copied.ts';
import { Button } from '../../../ui/button.tsx';
import classes from './program-keys.module.css';
import { ButtonRow } from '../../../ui/button-row.tsx';

/** A key that the server shows only now, with what a program needs beside it. */
export function NewKey({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useTranslation();
  const address = `${window.location.origin}/v1`;
  return (
    <div className={classes.made} role="group" aria-label={t('com_program_keys_made')}>
      <p className={classes.strong} role="status">
        {t('com_program_keys_made')}
      </p>
      <Copyable name="key" label={t('com_program_keys_key')} text={secret} isFirst />
      <Copyable name="address" label={t('com_program_keys_address')} text={address} />
      <Copyable name="try" label={t('com_program_keys_try')} text={curlOf(address, secret)} />
      <ButtonRow end>
        <Button onClick={onDone}>{t('com_program_keys_done')}</Button>
      </ButtonRow>
    </div>
  );
}

/** Asks for the models, so that it works whatever they are. */
function curlOf(address: string, secret: string): string {
  return `curl ${address}/models -H "Authorization: Bearer ${secret}"`;
}

interface CopyableProps {
  name: 'key' | 'address' | 'try';
  label: string;
  text: string;
  /** The one action that is asked for, which gets the focus. */
  isFirst?: boolean;
}

function Copyable({ name, label, text, isFirst = false }: CopyableProps) {
  const { t } = useTranslation();
  const { copied, copy } = useCopied();
  return (
    <div className={classes.copyable}>
      <span className={classes.label}>{label}</span>
      <code className={classes.code} dir="ltr" data-testid={`copyable-${name}`}>
        {text}
      </code>
      <Button
        size="sm"
        variant={isFirst ? 'filled' : undefined}
        autoFocus={isFirst}
        aria-label={`${t('com_program_keys_copy')}: ${label}`}
        onClick={() => copy(text)}
      >
        {copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
        <span aria-live="polite">{copied ? t('com_program_keys_copied') : t('com_program_keys_copy')}</span>
      </Button>
    </div>
  );
}
