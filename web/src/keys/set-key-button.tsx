import './lazy-words.ts';
import { IconKey } from '@tabler/icons-react';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../shell/dialogs/dialogs.ts';
import classes from './keys.module.css';

/** Opens the dialog in which the key of an endpoint is set. */
export function SetKeyButton({ endpoint, ref }: { endpoint: string; ref?: Ref<HTMLButtonElement> }) {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  return (
    <button
      ref={ref}
      type="button"
      className={classes.set}
      aria-haspopup="dialog"
      onClick={() => showDialog({ name: 'key', endpoint })}
    >
      <IconKey aria-hidden />
      {t('com_endpoint_config_key')}
    </button>
  );
}
