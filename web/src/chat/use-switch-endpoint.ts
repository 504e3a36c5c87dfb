import { carrySettings } from '@parley/schema/settings/carry-settings';
import { useAtomValue, useStore } from 'jotai';
import { endpointTypeOf, type Choice } from '../catalog/choose-model.ts';
import { readNewChatChoices } from '../catalog/new-chat-choices.ts';
import { isCompatible } from '../catalog/compatible.ts';
import { useAskForKey } from '../keys/use-ask-for-key.ts';
import { settingAtom } from '../stored-settings.ts';
import { slotAtom, startNewChat, useSlotIndex } from '../slots/slot.ts';
import type { Chat } from './use-chat.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';

/**
 * Returns a function that switches the chat to another endpoint or model. If both are compatible, the conversation
 * continues, and a choice without settings takes over those they share; else a new chat starts. In a new chat, an
 * endpoint used before gets its last settings.
 */
export function useSwitchEndpoint({ slot, modelTarget, path }: Chat): (choice: Choice) => void {
  const store = useStore();
  const index = useSlotIndex();
  const catalog = useCatalog();
  const isModular = useAtomValue(settingAtom('modularChat'));
  const askForKey = useAskForKey();
  return (picked) => {
    const { endpoint, model } = picked;
    const endpointType = endpointTypeOf(endpoint, catalog?.endpoints[endpoint]);
    const before = modelTarget && isCompatible(modelTarget, { endpoint, endpointType }, isModular) ? modelTarget : null;
    const known =
      before ?? (slot.isNewChat ? readNewChatChoices().find((one) => one.endpoint === endpoint) : undefined);
    const carried = known?.settings && carrySettings(endpointType, model, known.settings);
    const choice = { ...picked, settings: picked.settings ?? carried };
    if (before || path.length === 0) store.set(slotAtom(index), { ...slot, choice });
    else startNewChat(store, index, choice);
    askForKey(endpoint);
  };
}
