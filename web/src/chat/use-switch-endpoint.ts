import { carrySettings } from '@parley/schema/settings/carry-settings';
import { useAtomValue, useStore } from 'jotai';
import { endpointTypeOf, type Choice } from '../catalog/choose-model.ts';
import { readNewChatChoices } from '../catalog/new-chat-choices.ts';
import { areEndpointsCompatible } from '../catalog/endpoint-compatibility.ts';
import { useAskForKey } from '../keys/use-ask-for-key.ts';
import { settingAtom } from '../stored-settings.ts';
import { leaveToComposer } from '../slots/focus-composer.ts';
import { slotAtom, useSlotIndex } from '../slots/slot.ts';
import type { Chat } from './use-chat.ts';
import { pendingSwitchAtom, type SwitchTarget } from './switch-model/pending-switch.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';

/** For the pickers of a chat: the question comes next, so the focus goes to the message box. */
export function usePickEndpoint(chat: Chat): (choice: Choice) => void {
  const switchTo = useSwitchEndpoint(chat);
  const index = useSlotIndex();
  return (choice) => switchTo(choice, undefined, () => leaveToComposer(index));
}

type SwitchEndpoint = (choice: Choice, target?: SwitchTarget, onReady?: () => void) => void;

/**
 * Returns a function that switches the chat to another endpoint or model. If both are compatible, the conversation
 * continues, and a choice without settings takes over those they share. Else `place` decides, by default the person's
 * setting: `switch-model/` asks, or does what is set. In a new chat, an endpoint used before gets its last settings. `onReady`
 * is called where one can ask at once.
 */
export function useSwitchEndpoint({ slot, modelTarget, path }: Chat): SwitchEndpoint {
  const store = useStore();
  const index = useSlotIndex();
  const catalog = useCatalog();
  const isModular = useAtomValue(settingAtom('modularChat'));
  const chosenPlace = useAtomValue(settingAtom('switchingModels'));
  const askForKey = useAskForKey();
  return (picked, target = chosenPlace, onReady) => {
    const { endpoint, model } = picked;
    const endpointType = endpointTypeOf(endpoint, catalog?.endpoints[endpoint]);
    const isSame = Boolean(modelTarget && areEndpointsCompatible(modelTarget, { endpoint, endpointType }, isModular));
    const used = slot.isNewChat ? readNewChatChoices().find((one) => one.endpoint === endpoint) : undefined;
    const withSettingsOf = (known: Pick<Choice, 'settings'> | null | undefined): Choice => ({
      ...picked,
      settings: picked.settings ?? (known?.settings && carrySettings(endpointType, model, known.settings)),
    });
    const here = withSettingsOf(isSame || path.length > 0 ? modelTarget : used);
    if (!isSame && path.length > 0) {
      const { conversationId } = slot;
      return store.set(pendingSwitchAtom, { conversationId, here, inNewChat: withSettingsOf(used), target });
    }
    store.set(pendingSwitchAtom, null);
    store.set(slotAtom(index), { ...slot, choice: here });
    askForKey(endpoint, onReady);
  };
}
