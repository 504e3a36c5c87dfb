import { IconKey } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { wantsKey } from '../keys/key-state.ts';
import { useKeyState } from '../keys/use-key-state.ts';
import classes from './endpoint-menu.module.css';

/** Whether an endpoint can be asked as it is, beside its name in the list. */
export function EndpointState({ endpoint }: { endpoint: string }) {
  const { t } = useTranslation();
  if (!wantsKey(useKeyState(endpoint))) return null;
  return (
    <span className={classes.state}>
      <IconKey size={14} stroke={1.6} aria-hidden />
      {t('com_endpoint_own_key')}
    </span>
  );
}
