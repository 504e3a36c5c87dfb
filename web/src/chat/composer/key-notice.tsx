import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { composerId } from '../../slots/focus-composer.ts';
import { useSlotIndex } from '../../slots/slot.ts';
import { endpointLabel } from '../../catalog/choose-model.ts';
import classes from '../../keys/keys.module.css';
import { SetKeyButton } from '../../keys/set-key-button.tsx';

/** Shown in the composer while it cannot send for want of a valid API key. */
export function KeyNotice({ endpoint, hasExpired }: { endpoint: string; hasExpired: boolean }) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const name = endpointLabel(endpoint);

  useReturnFocus(button);

  return (
    <div className={classes.notice}>
      <p role="status">
        {hasExpired ? t('com_endpoint_config_expired', { 0: name }) : t('com_endpoint_config_placeholder', { 0: name })}
      </p>
      <SetKeyButton ref={button} endpoint={endpoint} />
    </div>
  );
}

/** When the notice unmounts with the focus, the message box takes it. */
function useReturnFocus(button: RefObject<HTMLElement | null>): void {
  const box = composerId(useSlotIndex());
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const element = button.current;
    return () => void (hadFocus.current = document.activeElement === element);
  }, [button]);
  // After the dialog has given the focus back.
  useEffect(
    () => () => {
      if (hadFocus.current && document.activeElement === document.body) document.getElementById(box)?.focus();
    },
    [box],
  );
}
