// Which screens a visitor and which a signed-in person may see.
import { useAtomValue } from 'jotai/react';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { QuietScreen } from '../lib/quiet-screen.tsx';
import { session } from './current.ts';
import { takeReturnPath } from './return-path.ts';

/** Long enough for a refresh in another tab to be heard before anyone is sent away. */
const REDIRECT_DELAY = 300;

/** Shows its children to a signed-in person; sends anybody else to /login. */
export function SignedIn({ children }: { children: ReactNode }) {
  const { status, error } = useAtomValue(session.state);
  const [, navigate] = useLocation();
  useEffect(() => {
    if (status !== 'out') return;
    const timer = setTimeout(() => navigate('/login', { replace: true }), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [status, navigate]);
  if (status === 'in') return children;
  return error && status === 'checking' ? <WaitingScreen /> : null;
}

/** Shows its children to a visitor; takes a signed-in person to their conversations. */
export function SignedOut({ children }: { children: ReactNode }) {
  const { status, user } = useAtomValue(session.state);
  const [, navigate] = useLocation();
  const userId = user?.id;
  useEffect(() => {
    if (userId) navigate(takeReturnPath(userId), { replace: true });
  }, [userId, navigate]);
  // Who was signed in here last time most likely still is: showing them the form would only be a flash.
  const isVisitor = status === 'out' || (status === 'checking' && !session.wasSignedIn());
  return isVisitor ? children : null;
}

function WaitingScreen() {
  const { t } = useTranslation();
  return <QuietScreen title={t('com_ui_offline')} hint={t('com_ui_offline_hint')} />;
}
