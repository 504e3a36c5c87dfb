import { useEffect } from 'react';
import { ChatScreen } from './chat-screen.tsx';
import { useLocation } from 'wouter';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { AppFrame } from './frame.tsx';

/** The rooms beside the chat, by the first word of their addresses. */
const rooms: Record<string, ReturnType<typeof lazyScreen>> = {
  assistants: lazyScreen(async () => (await import('../assistants/assistants-screen.tsx')).AssistantsScreen),
  admin: lazyScreen(async () => (await import('../admin/admin-screen.tsx')).AdminScreen),
};

/** The signed-in app: one import, so that it loads as one chunk. */
export function SignedInScreen() {
  const room = rooms[useLocation()[0].split('/')[1] ?? ''];
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
      {room ? (
        <LazyBoundary>
          <room.Screen />
        </LazyBoundary>
      ) : (
        <ChatScreen />
      )}
    </AppFrame>
  );
}
