import type { Folder } from '@parley/schema/convos/folders';
import { useStore } from 'jotai';
import { useSidebar } from '../layout/use-sidebar.ts';
import { beginNewChat } from '../slots/use-new-chat.ts';
import { useFolderChoice } from './use-folder-choice.ts';

/** Returns a function that begins a chat in a folder, and closes the drawer over it. */
export function useChatInFolder(): (folder: Folder) => void {
  const store = useStore();
  const { isDrawer, close } = useSidebar();
  const choiceOf = useFolderChoice();
  return (folder) => {
    beginNewChat(store, choiceOf(folder), folder.id);
    if (isDrawer) close();
  };
}
