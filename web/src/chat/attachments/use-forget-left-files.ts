import { useStore } from 'jotai';
import { NEW_CHAT } from '../../slots/new-chat.ts';
import { useOnNewChat } from '../../slots/use-new-chat.ts';
import { useChatSession } from '../chat-session-context.tsx';
import { detach } from './attach-files.ts';

/** Files that were left in a new chat are not for the next one. Its text stays: it costs nobody anything. */
export function useForgetLeftFiles(): void {
  const store = useStore();
  const { drafts } = useChatSession();
  useOnNewChat(() => {
    const list = drafts.attachmentsAtom(NEW_CHAT);
    for (const left of store.get(list)) detach({ store, list, draft: NEW_CHAT }, left);
  });
}
