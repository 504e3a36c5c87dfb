// The toasts on screen, where they cover nothing that is typed in or pressed.
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle, IconX } from '@tabler/icons-react';
import { useAtomValue } from 'jotai/react';
import { useEffect, useRef, useState, type FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../icon-button.tsx';
import { Button } from '../button.tsx';
import { dismissToast, toastsAtom, type ShownToast } from './toast.ts';
import classes from './toast.module.css';
import { useToastPlace } from './use-toast-place.ts';

const SHOWN_MS = 3_000;

const icons = { info: IconInfoCircle, success: IconCircleCheck, warning: IconAlertTriangle, error: IconCircleX };

/**
 * The container of the toasts. Rendered once, next to the screens; always mounted, so that screen readers announce the
 * first one.
 */
export function Toasts() {
  const { t } = useTranslation();
  const shown = useAtomValue(toastsAtom);
  const stack = useTopLayer(shown.length);
  useToastPlace(stack, shown);
  return (
    <section
      ref={stack}
      popover="manual"
      className={classes.stack}
      aria-label={t('com_ui_notifications')}
      aria-live="polite"
    >
      {shown.map((toast) => (
        <Notice key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** Stands above modal dialogs, also those that open later: each new toast raises the stack. */
function useTopLayer(count: number) {
  const stack = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = stack;
    if (!current || !('showPopover' in current) || current.contains(document.activeElement)) return;
    if (current.matches(':popover-open')) current.hidePopover();
    if (count > 0) current.showPopover();
  }, [count]);
  return stack;
}

function Notice({ toast }: { toast: ShownToast }) {
  const { t } = useTranslation();
  const hold = useTimeLimit(toast);
  const restoreFocus = useRestoreFocus();
  const Icon = icons[toast.severity];
  return (
    <div className={classes.toast} data-severity={toast.severity} data-testid="toast" {...hold} {...restoreFocus}>
      <Icon className={classes.icon} size={18} stroke={1.6} aria-hidden />
      <div className={classes.message}>{toast.message}</div>
      {toast.action && (
        <Button variant="subtle" size="sm" className={classes.action} onClick={() => act(toast)}>
          {toast.action.label}
        </Button>
      )}
      <IconButton label={t('com_ui_close')} onClick={() => dismissToast(toast.id)}>
        <IconX aria-hidden />
      </IconButton>
    </div>
  );
}

/** Restores the previous focus when the toast disappears. */
function useRestoreFocus() {
  const before = useRef<EventTarget | null>(null);
  useEffect(() => {
    return () => {
      if (document.activeElement === document.body && before.current instanceof HTMLElement) before.current.focus();
    };
  }, []);

  function onFocusCapture({ currentTarget, relatedTarget }: FocusEvent): void {
    if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  }
  return { onFocusCapture };
}

/** Dismisses the toast after its time, which restarts once the pointer or the focus has left it. */
function useTimeLimit({ id, duration = SHOWN_MS }: ShownToast) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissToast(id), duration);
    return () => clearTimeout(timer);
  }, [isHeld, id, duration]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release };
}

function act(toast: ShownToast): void {
  dismissToast(toast.id);
  toast.action?.run();
}
