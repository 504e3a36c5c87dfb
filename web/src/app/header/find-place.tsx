import { useAtom } from 'jotai';
import { useEffect } from 'react';
import { isFindingAtom } from '../../chat/find-in-chat.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { readDialogs } from '../dialogs/read-dialogs.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';

const findBar = lazyScreen(async () => (await readDialogs()).FindBar);

/** The search in the chat, once it is asked for. */
export function FindPlace({ chat }: { chat: Chat }) {
  const [isFinding, setFinding] = useAtom(isFindingAtom);
  const { conversationId } = chat.slot;
  const close = () => setFinding(false);
  // It does not go on in another chat.
  useEffect(() => () => setFinding(false), [conversationId, setFinding]);
  if (!isFinding || chat.path.length === 0) return null;
  return (
    <LazyBoundary onFailure={close}>
      <findBar.Screen key={conversationId} chat={chat} onClose={close} />
    </LazyBoundary>
  );
}
