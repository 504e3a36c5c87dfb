import type { Folder } from '@parley/schema/convos/folders';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { useStore, useAtomValue } from 'jotai';
import { useSidebar } from '../layout/use-sidebar.ts';
import { beginNewChat } from '../slots/use-new-chat.ts';
import { chooseForNewChat, choosePreset, endpointTypeOf, type Choice } from '../catalog/choose-model.ts';
import { defaultToolsAtom, withDefaultTools } from '../catalog/default-tools.ts';
import { newChatSettingsOf } from '../catalog/last-bing-settings.ts';
import { lastChoicesAtom } from '../catalog/last-choices.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { useDefaultPreset, usePresets } from '../presets/use-presets.ts';

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
  const defaultPreset = useDefaultPreset() ?? null;
  const defaults = useAtomValue(defaultToolsAtom);
  return ({ presetId, tools }) => {
    if (!catalog) return null;
    const preset = presets?.find((one) => one.presetId === presetId);
    const own = preset ? choosePreset(preset, catalog, memory) : null;
    if (tools.length === 0) return own;
    const choice = own ?? chooseForNewChat(catalog, memory, defaultPreset);
    return (
      choice &&
      withTools(choice, endpointTypeOf(choice.endpoint, catalog.endpoints[choice.endpoint]), {
        tools,
        // What has settings of its own begins with its own tools.
        defaults: choice.presetId === undefined ? defaults : [],
      })
    );
  };
}

/** The choice with these tools beside those that it begins with anyway, where its model takes tools. */
function withTools(
  { settings, ...choice }: Choice,
  type: EndpointType,
  { tools, defaults }: { tools: readonly string[]; defaults: readonly string[] },
): Choice {
  const { tools: own = defaults, ...others } = settings ?? newChatSettingsOf(type);
  const all = [...new Set([...(Array.isArray(own) ? own.filter((key) => typeof key === 'string') : []), ...tools])];
  return { ...choice, settings: withDefaultTools(others, { type, model: choice.model, tools: all }) };
}
