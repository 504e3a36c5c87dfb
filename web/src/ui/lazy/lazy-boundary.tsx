import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { i18n } from '../../i18n.ts';
import { LazyBoundaryContext } from './lazy-screen.tsx';
import { showToast } from '../toast/toast.ts';

interface LazyBoundaryProps {
  /** A component from `lazyScreen`. */
  children: ReactNode;
  /** The fallback until it loads, and if it cannot. */
  fallback?: ReactNode;
  /** An optional component: if it fails to load, no message appears. */
  isQuiet?: boolean;
  /** Resets the request for it, so that the user can request it again. */
  onFailure?: () => void;
  /** Called before its first paint. */
  onArrival?: () => void;
}

/**
 * A boundary around a lazy component. If it cannot load, the rest of the page stays, and it loads once the network
 * returns.
 */
export function LazyBoundary({ children, fallback = null, isQuiet = false, onFailure, onArrival }: LazyBoundaryProps) {
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    if (!hasFailed) return;
    const again = () => {
      setFailed(false);
      setAttempt((before) => before + 1);
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [hasFailed]);

  function fail(): void {
    setFailed(true);
    if (!isQuiet) toastFailure();
    onFailure?.();
  }

  return (
    <LazyBoundaryContext value={{ fallback, onFailure: fail, onArrival }}>
      <Fragment key={attempt}>{children}</Fragment>
    </LazyBoundaryContext>
  );
}

function toastFailure(): void {
  const reload = { label: i18n.t('com_ui_reload'), run: () => window.location.reload() };
  showToast({ message: i18n.t('com_error_part'), severity: 'error', duration: 6_000, action: reload });
}
