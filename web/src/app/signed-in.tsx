import { useEffect } from 'react';
import { ChatScreen } from './chat-screen.tsx';
import { AppFrame } from './frame.tsx';

/** The signed-in app: one import, so that it loads as one chunk. */
export function SignedInScreen() {
  useEffect(() => {
    const leaving = new AbortController();
    const follow = (end: () => void) => leaving.signal.addEventListener('abort', end);
    void import('./follow-account.ts').then(
      (loaded) => !leaving.signal.aborted && follow(loaded.followAccount()),
      // Without it the settings act in this browser alone.
      () => {},
    );
    return () => leaving.abort();
  }, []);
  return (
    <AppFrame>
      <ChatScreen />
    </AppFrame>
  );
}
