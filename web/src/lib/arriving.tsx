import { Component, Suspense, useEffect, useState, type ReactNode } from 'react';
import { i18n } from '../i18n.ts';
import { NotArrived } from './lazy-screen.tsx';
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
}

/** A place for a part of the page. One that cannot be fetched leaves the rest as it is, and comes with the network. */
export function Arriving({ children, fallback = null, isQuiet = false, onFailure }: ArrivingProps) {
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
    <Suspense fallback={fallback}>
      <ArrivalBoundary key={attempt} fallback={fallback} onFailure={fail}>
        {children}
      </ArrivalBoundary>
    </Suspense>
  );
}

function sayFailed(): void {
  const reload = { label: i18n.t('com_ui_reload'), run: () => window.location.reload() };
  showToast({ message: i18n.t('com_error_part'), severity: 'error', duration: 6_000, action: reload });
}

interface BoundaryProps {
  children: ReactNode;
  fallback: ReactNode;
  onFailure: () => void;
}

/** Any other error is for whoever catches it further out. */
class ArrivalBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof NotArrived)) return;
    error.forget();
    this.props.onFailure();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if ((error as unknown) instanceof NotArrived) return this.props.fallback;
    throw error;
  }
}
