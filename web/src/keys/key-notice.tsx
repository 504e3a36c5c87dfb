import './lazy-words.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../endpoints/choose.ts';
import classes from './keys.module.css';
import { SetKeyButton } from './set-key-button.tsx';

/** Stands in the composer for as long as a key keeps one from writing. */
export function KeyNotice({ endpoint, hasExpired }: { endpoint: string; hasExpired: boolean }) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const name = endpointLabel(endpoint);

  // The box that had the focus, or would have taken it, cannot have it now.
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches(':disabled'))
      button.current?.focus({ preventScroll: true });
  }, []);

  return (
    <div className={classes.notice}>
      <p role="status">
        {hasExpired ? t('com_endpoint_config_expired', { 0: name }) : t('com_endpoint_config_placeholder', { 0: name })}
      </p>
      <SetKeyButton ref={button} endpoint={endpoint} />
    </div>
  );
}
