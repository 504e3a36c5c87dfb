import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { useAtomValue, useStore } from 'jotai';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { readAssistants } from '../ui/lazy/chunks.ts';
import { readPages } from '../ui/lazy/chunks.ts';
import { AppFrame } from './frame.tsx';
import { session } from '../session/current-session.ts';
import { ChatPane } from './chat-pane.tsx';
import { ChatSessionProvider } from '../chat/chat-session-context.tsx';
import { FIRST_SLOT, openInSlot, SlotContext } from '../slots/slot.ts';
import { NEW_CHAT } from '../slots/new-chat.ts';

/** The rooms beside the chat, by the first word of their addresses. */
const rooms: Record<string, ReturnType<typeof lazyScreen>> = {
  assistants: lazyScreen(async () => (await readAssistants()).AssistantsScreen),
  tools: lazyScreen(async () => (await readPages()).ToolsScreen),
  prompts: lazyScreen(async () => (await readPages()).PromptsScreen),
  schedules: lazyScreen(async () => (await readPages()).SchedulesScreen),
  projects: lazyScreen(async () => (await readPages()).ProjectsScreen),
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

/** The chat screen: opens the conversation of the URL in the first slot. */
function ChatScreen() {
  const { user } = useAtomValue(session.state);
  if (!user) return null;
  return (
    <ChatSessionProvider key={user.id} userId={user.id}>
      <SlotContext value={FIRST_SLOT}>
        <AddressFollower>
          <ChatPane />
        </AddressFollower>
      </SlotContext>
    </ChatSessionProvider>
  );
}

/**
 * Opens the conversation of the address before paint, so that the previous one never shows under it, and before the
 * chat is first rendered: what is typed into its box would be the draft of another one.
 */
function AddressFollower({ children }: { children: ReactNode }) {
  const { conversationId = NEW_CHAT } = useParams();
  const store = useStore();
  const [hasOpened, setOpened] = useState(false);
  useLayoutEffect(() => {
    openInSlot(store, FIRST_SLOT, conversationId);
    // oxlint-disable-next-line react/set-state-in-effect -- a store is not written while rendering
    setOpened(true);
  }, [store, conversationId]);
  return hasOpened && children;
}
