import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { i18n } from '../i18n.ts';
import { PlaceContext } from './lazy-screen.tsx';
import { showToast } from './toast.tsx';

interface ArrivingProps {
  /** A part of the page by `lazyScreen`. */
  children: ReactNode;
  /** What stands there until it has arrived, and where it cannot. */
  fallback?: ReactNode;
  /** Nobody asked for it: the page does without it and says nothing. */
  isQuiet?: boolean;
  /** Takes back the wish for it, which may then be had again. */
  onFailure?: () => void;
  /** Hears of it before it is painted. */
  onArrival?: () => void;
}

/** A place for a part of the page. One that cannot be fetched leaves the rest as it is, and comes with the network. */
export function Arriving({ children, fallback = null, isQuiet = false, onFailure, onArrival }: ArrivingProps) {
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
    if (!isQuiet) sayFailed();
    onFailure?.();
  }

  return (
    <PlaceContext value={{ fallback, onFailure: fail, onArrival }}>
      <Fragment key={attempt}>{children}</Fragment>
    </PlaceContext>
  );
}

function sayFailed(): void {
  const reload = { label: i18n.t('com_ui_reload'), run: () => window.location.reload() };
  showToast({ message: i18n.t('com_error_part'), severity: 'error', duration: 6_000, action: reload });
}
