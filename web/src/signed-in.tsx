import { useEffect } from 'react';
import { ChatScreen } from './chat/chat-screen.tsx';
import { Shell } from './shell/shell.tsx';

/** What a signed-in person sees: one import, so that it arrives as one file. */
export function SignedInScreen() {
  useEffect(() => {
    if (window.location.search === '?reclaimed') void import('./auth/reclaimed.ts').then((room) => room.sayReclaimed());
  }, []);
  return (
    <Shell>
      <ChatScreen />
    </Shell>
  );
}
