import { IconKey, IconLock } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../catalog/choose-model.ts';
import { needsKey } from '../keys/key-state.ts';
import { useKeyState } from '../keys/use-key-state.ts';
import { useTakesKey } from '../keys/use-takes-key.ts';
import classes from './endpoint-menu.module.css';

interface EndpointStateProps {
  endpoint: string;
  onSetKey: (endpoint: string) => void;
}

/**
 * The key state of an endpoint, next to its name in the list. If the endpoint takes a user's key, a click sets it; the
 * search field has a shortcut for the keyboard.
 */
export function EndpointState({ endpoint, onSetKey }: EndpointStateProps) {
  const { t } = useTranslation();
  const takesKey = useTakesKey(endpoint);
  const isWaiting = needsKey(useKeyState(endpoint));
  if (!takesKey) return null;

  function press(event: MouseEvent): void {
    event.stopPropagation();
    onSetKey(endpoint);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      className={classes.state}
      data-tooltip={t('com_endpoint_set_key_for', { 0: endpointLabel(endpoint) })}
      data-testid={`set-key-${endpoint}`}
      onClick={press}
    >
      {isWaiting ? <IconLock aria-hidden /> : <IconKey aria-hidden />}
      {isWaiting && t('com_endpoint_own_key')}
      {isWaiting && <span className={classes.step}>{t('com_endpoint_config_key')}</span>}
    </span>
  );
}
