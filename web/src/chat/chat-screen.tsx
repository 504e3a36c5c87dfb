// The chat screen: what the address names, in the first slot.
import { useAtomValue, useStore } from 'jotai';
import { useLayoutEffect } from 'react';
import { useParams } from 'wouter';
import { session } from '../auth/current.ts';
import { ChatPane } from './chat-pane.tsx';
import { NEW_CHAT } from './drafts/drafts.ts';
import { RoomProvider } from './room-context.tsx';
import { FIRST_SLOT, openInSlot, SlotContext } from './slot.ts';

export function ChatScreen() {
  const { user } = useAtomValue(session.state);
  if (!user) return null;
  return (
    <RoomProvider key={user.id} userId={user.id}>
      <SlotContext value={FIRST_SLOT}>
        <AddressFollower />
        <ChatPane />
      </SlotContext>
    </RoomProvider>
  );
}

/** Before the screen is painted, so that nobody sees the conversation of the last address under this one. */
function AddressFollower() {
  const { conversationId = NEW_CHAT } = useParams();
  const store = useStore();
  useLayoutEffect(() => openInSlot(store, FIRST_SLOT, conversationId), [store, conversationId]);
  return null;
}
