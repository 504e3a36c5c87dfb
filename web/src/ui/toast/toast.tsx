// Toasts at the top of the page: what happened and, if possible, an undo button.
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle, IconX } from '@tabler/icons-react';
import { useAtomValue } from 'jotai/react';
import { atom, getDefaultStore } from 'jotai/vanilla';
import { useEffect, useRef, useState, type FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../icon-button.tsx';
import { Button } from '../button.tsx';
import classes from './toast.module.css';

export type Severity = 'info' | 'success' | 'warning' | 'error';

export interface Toast {
  message: string;
  severity: Severity;
  /** Milliseconds on screen, 3000 by default. */
  duration?: number;
  action?: { label: string; run: () => void };
}

type Shown = Toast & { id: number };

const DURATION = 3_000;
const DELAY = 100;
const MOST = 3;

const toasts = atom<Shown[]>([]);
const store = getDefaultStore();
let lastId = 0;

const icons = { info: IconInfoCircle, success: IconCircleCheck, warning: IconAlertTriangle, error: IconCircleX };

/** Shows a toast after 100 ms. A fourth one removes the oldest. Returns a function that dismisses it early. */
export function showToast(toast: Toast): () => void {
  lastId += 1;
  const shown = { ...toast, id: lastId };
  const timer = setTimeout(() => store.set(toasts, (before) => [...before, shown].slice(-MOST)), DELAY);
  return () => {
    clearTimeout(timer);
    dismiss(shown.id);
  };
}

/**
 * The container of the toasts. Rendered once, next to the screens; always mounted, so that screen readers announce the
 * first one.
 */
export function Toasts() {
  const { t } = useTranslation();
  const shown = useAtomValue(toasts);
  const stack = useTopLayer(shown.length);
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

function Notice({ toast }: { toast: Shown }) {
  const { t } = useTranslation();
  const hold = useTimeLimit(toast);
  const restoreFocus = useRestoreFocus();
  const Icon = icons[toast.severity];
  return (
    <div className={classes.toast} data-severity={toast.severity} data-testid="toast" {...hold} {...restoreFocus}>
      <Icon className={classes.icon} size={18} stroke={1.6} aria-hidden />
      <span className={classes.message}>{toast.message}</span>
      {toast.action && (
        <Button variant="subtle" size="sm" className={classes.action} onClick={() => act(toast)}>
          {toast.action.label}
        </Button>
      )}
      <IconButton label={t('com_ui_close')} onClick={() => dismiss(toast.id)}>
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
function useTimeLimit({ id, duration = DURATION }: Shown) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(id), duration);
    return () => clearTimeout(timer);
  }, [isHeld, id, duration]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release };
}

function act(toast: Shown): void {
  dismiss(toast.id);
  toast.action?.run();
}

function dismiss(id: number): void {
  store.set(toasts, (before) => before.filter((toast) => toast.id !== id));
}
