import './lazy-words.ts';
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { composerId } from '../chat/composer/focus-composer.ts';
import { useSlotIndex } from '../chat/slot.ts';
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
  useHandOn(button);

  return (
    <div className={classes.notice}>
      <p role="status">
        {hasExpired ? t('com_endpoint_config_expired', { 0: name }) : t('com_endpoint_config_placeholder', { 0: name })}
      </p>
      <SetKeyButton ref={button} endpoint={endpoint} />
    </div>
  );
}

/** What had the focus in the notice is gone with it: then one may write. */
function useHandOn(button: RefObject<HTMLElement | null>): void {
  const box = composerId(useSlotIndex());
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const element = button.current;
    return () => void (hadFocus.current = document.activeElement === element);
  }, [button]);
  // Once the box can have it.
  useEffect(
    () => () => {
      if (hadFocus.current && document.activeElement === document.body) document.getElementById(box)?.focus();
    },
    [box],
  );
}
