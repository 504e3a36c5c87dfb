// Route guards for signed-in and signed-out users.
import { useAtomValue } from 'jotai/react';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { BlankScreen } from '../ui/blank-screen.tsx';
import { FrameSkeleton } from '../ui/skeleton/frame-skeleton.tsx';
import { session } from '../session/current-session.ts';
import { takeReturnPath } from '../session/return-path.ts';

/** Milliseconds: enough to notice a refresh in another tab before redirecting. */
const REDIRECT_AFTER_MS = 300;

interface RequireSignedInProps {
  /** In place of `children` for anyone who has to add a second factor first. */
  limited: ReactNode;
  children: ReactNode;
}

/** Renders its children for a signed-in user; redirects everyone else to /login. */
export function RequireSignedIn({ limited, children }: RequireSignedInProps) {
  const { status, error } = useAtomValue(session.state);
  const [, navigate] = useLocation();
  useEffect(() => {
    if (status !== 'out') return;
    const timer = setTimeout(() => navigate('/login', { replace: true }), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [status, navigate]);
  if (status === 'in') return children;
  if (status === 'limited') return limited;
  if (status === 'out') return null;
  return error ? <WaitingScreen /> : session.wasSignedIn() && <FrameSkeleton />;
}

/** Renders its children for a signed-out user; redirects a signed-in user to their conversations. */
export function RequireSignedOut({ children }: { children: ReactNode }) {
  const { status, user } = useAtomValue(session.state);
  const [, navigate] = useLocation();
  const userId = user?.id;
  useEffect(() => {
    if (userId) navigate(takeReturnPath(userId), { replace: true });
  }, [userId, navigate]);
  // The last user is most likely still signed in: the form would only flash.
  const isVisitor = status === 'out' || (status === 'checking' && !session.wasSignedIn());
  return isVisitor ? children : null;
}

function WaitingScreen() {
  const { t } = useTranslation();
  return <BlankScreen title={t('com_ui_offline')} hint={t('com_ui_offline_hint')} />;
}
