import type { Folder } from '@parley/schema/convos/folders';
import { useStore, useAtomValue } from 'jotai';
import { useSidebar } from '../layout/use-sidebar.ts';
import { beginNewChat } from '../slots/use-new-chat.ts';
import { choosePreset, type Choice } from '../catalog/choose-model.ts';
import { lastChoicesAtom } from '../catalog/last-choices.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { usePresets } from '../presets/use-presets.ts';

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

/** Returns a function that finds what new chats in a folder begin with; null: what other new chats begin with. */
function useFolderChoice(): (folder: Folder) => Choice | null {
  const catalog = useCatalog();
  const memory = useAtomValue(lastChoicesAtom);
  const { presets } = usePresets(Infinity);
  return ({ presetId }) => {
    const preset = presets?.find((one) => one.presetId === presetId);
    return preset && catalog ? choosePreset(preset, catalog, memory) : null;
  };
}
