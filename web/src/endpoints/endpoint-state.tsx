import { IconKey } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from './choose.ts';
import { wantsKey } from '../keys/key-state.ts';
import { useKeyState } from '../keys/use-key-state.ts';
import { useTakesKey } from '../keys/use-takes-key.ts';
import classes from './endpoint-menu.module.css';

interface EndpointStateProps {
  endpoint: string;
  onSetKey: (endpoint: string) => void;
}

/**
 * Whether an endpoint can be asked as it is, beside its name in the list. Where it takes a key of one's own, a press sets
 * it; for keys the field has one that does the same.
 */
export function EndpointState({ endpoint, onSetKey }: EndpointStateProps) {
  const { t } = useTranslation();
  const takesKey = useTakesKey(endpoint);
  const isWaiting = wantsKey(useKeyState(endpoint));
  if (!takesKey) return null;

  function press(event: MouseEvent): void {
    event.stopPropagation();
    onSetKey(endpoint);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      className={classes.state}
      title={t('com_endpoint_set_key_for', { 0: endpointLabel(endpoint) })}
      data-testid={`set-key-${endpoint}`}
      onClick={press}
    >
      <IconKey size={14} stroke={1.6} aria-hidden />
      {isWaiting && t('com_endpoint_own_key')}
    </span>
  );
}
