// The chat screen: opens the conversation of the URL in the first slot.
import { useAtomValue, useStore } from 'jotai';
import { useLayoutEffect } from 'react';
import { useParams } from 'wouter';
import { session } from '../session/current-session.ts';
import { ChatPane } from './chat-pane.tsx';
import { ChatSessionProvider } from '../chat/chat-session-context.tsx';
import { FIRST_SLOT, openInSlot, SlotContext } from '../slots/slot.ts';
import { NEW_CHAT } from '../slots/new-chat.ts';

export function ChatScreen() {
  const { user } = useAtomValue(session.state);
  if (!user) return null;
  return (
    <ChatSessionProvider key={user.id} userId={user.id}>
      <SlotContext value={FIRST_SLOT}>
        <AddressFollower />
        <ChatPane />
      </SlotContext>
    </ChatSessionProvider>
  );
}

/** Runs before paint, so that the previous conversation never shows under the new URL. */
function AddressFollower() {
  const { conversationId = NEW_CHAT } = useParams();
  const store = useStore();
  useLayoutEffect(() => openInSlot(store, FIRST_SLOT, conversationId), [store, conversationId]);
  return null;
}
