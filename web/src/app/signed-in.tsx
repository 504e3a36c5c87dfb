import { useEffect } from 'react';
import { ChatScreen } from './chat-screen.tsx';
import { AppFrame } from './frame.tsx';

/** The signed-in app: one import, so that it loads as one chunk. */
export function SignedInScreen() {
  useEffect(() => {
    if (window.location.search === '?reclaimed')
      void import('../auth/notices/account-claimed.ts').then((loaded) => loaded.showAccountClaimed());
  }, []);
  return (
    <AppFrame>
      <ChatScreen />
    </AppFrame>
  );
}
