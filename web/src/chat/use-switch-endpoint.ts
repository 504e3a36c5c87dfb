import { carrySettings } from '@parley/schema/settings/carry-settings';
import { useAtomValue, useStore } from 'jotai';
import { endpointTypeOf, type Choice } from '../catalog/choose-model.ts';
import { readNewChatChoices } from '../catalog/new-chat-choices.ts';
import { isCompatible } from '../catalog/compatible.ts';
import { useAskForKey } from '../keys/use-ask-for-key.ts';
import { settingAtom } from '../stored-settings.ts';
import { draftKeyOf, slotAtom, startNewChat, useSlotIndex } from '../slots/slot.ts';
import { NEW_CHAT } from '../slots/new-chat.ts';
import { useChatSession } from './chat-session-context.tsx';
import type { Chat } from './use-chat.ts';
import { pendingSwitchAtom } from './switch-model/pending-switch.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';

/** What happens in a conversation when a model of another provider is picked. */
type Place = 'ask' | 'continue' | 'new';

/**
 * Returns a function that switches the chat to another endpoint or model. If both are compatible, the conversation
 * continues, and a choice without settings takes over those they share. Else `place` decides: by default the person's
 * setting, which asks. In a new chat, an endpoint used before gets its last settings.
 */
export function useSwitchEndpoint({ slot, modelTarget, path }: Chat): (choice: Choice, place?: Place) => void {
  const store = useStore();
  const index = useSlotIndex();
  const catalog = useCatalog();
  const isModular = useAtomValue(settingAtom('modularChat'));
  const chosenPlace = useAtomValue(settingAtom('switchingModels'));
  const askForKey = useAskForKey();
  const startWithDraft = useStartWithDraft(draftKeyOf(slot));
  return (picked, place = chosenPlace) => {
    const { endpoint, model } = picked;
    const endpointType = endpointTypeOf(endpoint, catalog?.endpoints[endpoint]);
    const isSame = Boolean(modelTarget && isCompatible(modelTarget, { endpoint, endpointType }, isModular));
    const used = slot.isNewChat ? readNewChatChoices().find((one) => one.endpoint === endpoint) : undefined;
    const withSettingsOf = (known: Pick<Choice, 'settings'> | null | undefined): Choice => ({
      ...picked,
      settings: picked.settings ?? (known?.settings && carrySettings(endpointType, model, known.settings)),
    });
    const here = withSettingsOf(isSame || path.length > 0 ? modelTarget : used);
    if (!isSame && path.length > 0 && place === 'ask') {
      const { conversationId } = slot;
      return store.set(pendingSwitchAtom(index), { conversationId, here, inNewChat: withSettingsOf(used) });
    }
    store.set(pendingSwitchAtom(index), null);
    if (isSame || path.length === 0 || place === 'continue') store.set(slotAtom(index), { ...slot, choice: here });
    else startWithDraft(withSettingsOf(used));
    askForKey(endpoint);
  };
}

/** Starts a new chat, into which the unsent text and its files go along. */
export function useStartWithDraft(draftKey: string): (choice: Choice) => void {
  const store = useStore();
  const index = useSlotIndex();
  const { drafts } = useChatSession();
  return (choice) => {
    const [text, files] = [drafts.draftAtom(draftKey), drafts.attachmentsAtom(draftKey)];
    const [newText, newFiles] = [drafts.draftAtom(NEW_CHAT), drafts.attachmentsAtom(NEW_CHAT)];
    const [typed, attached] = [store.get(text), store.get(files)];
    startNewChat(store, index, choice);
    if (draftKey === NEW_CHAT || (typed === '' && attached.length === 0)) return;
    // An unsent text of another new chat stays, too.
    store.set(newText, [store.get(newText), typed].filter(Boolean).join('\n\n'));
    store.set(newFiles, [...store.get(newFiles), ...attached]);
    store.set(text, '');
    store.set(files, []);
  };
}
