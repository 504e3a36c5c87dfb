import { useAtomValue, useSetAtom, useStore } from 'jotai';
import { chooseForNewChat, endpointTypeOf } from '../../catalog/choose-model.ts';
import { newChatSettingsOf } from '../../catalog/last-bing-settings.ts';
import { lastChoicesAtom } from '../../catalog/last-choices.ts';
import { openDialogAtom } from '../../dialogs/open-dialog.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import { useDefaultPreset } from '../../presets/use-presets.ts';
import { FIRST_SLOT, slotAtom } from '../../slots/slot.ts';
import { beginNewChat } from '../../slots/use-new-chat.ts';

/** Returns a function that leaves the settings for a chat that is in no list, with these tools beside its own. */
export function useTryChat(): ((tools: readonly string[]) => void) | null {
  const store = useStore();
  const closeDialog = useSetAtom(openDialogAtom);
  const catalog = useCatalog();
  const memory = useAtomValue(lastChoicesAtom);
  const preset = useDefaultPreset();
  if (!catalog || preset === undefined) return null;
  const choice = chooseForNewChat(catalog, memory, preset);
  if (!choice) return null;
  return (tools) => {
    const type = endpointTypeOf(choice.endpoint, catalog.endpoints[choice.endpoint]);
    const settings = { ...(choice.settings ?? newChatSettingsOf(type)), tools: [...tools] };
    beginNewChat(store, { endpoint: choice.endpoint, model: choice.model, settings });
    const slot = slotAtom(FIRST_SLOT);
    store.set(slot, { ...store.get(slot), isTemporary: true });
    closeDialog(null);
  };
}
