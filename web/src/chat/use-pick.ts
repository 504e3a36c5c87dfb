import { carrySettings } from '@parley/schema/carry-settings';
import { useAtomValue, useStore } from 'jotai';
import { endpointTypeOf, type Choice } from '../endpoints/choose.ts';
import { readFreshChoices } from '../endpoints/fresh-choices.ts';
import { isCompatible } from '../endpoints/compatible.ts';
import { useOffer } from '../endpoints/use-addressee.ts';
import { useAskForKey } from '../keys/use-ask-for-key.ts';
import { modularChatAtom } from '../settings/modular-chat.ts';
import { slotAtom, startNewChat, useSlotIndex } from './slot.ts';
import type { Chat } from './use-chat.ts';

/**
 * Returns a function that has the chat talk to somebody else. Where the two are compatible the conversation is kept,
 * and with a choice that says nothing of settings also what they have of them in common; else a new one begins. Where
 * nothing was said yet an endpoint that one comes back to is as it was set.
 */
export function usePick({ slot, addressee, path }: Chat): (choice: Choice) => void {
  const store = useStore();
  const index = useSlotIndex();
  const offer = useOffer();
  const isModular = useAtomValue(modularChatAtom);
  const askForKey = useAskForKey();
  return (picked) => {
    const { endpoint, model } = picked;
    const endpointType = endpointTypeOf(endpoint, offer?.endpoints[endpoint]);
    const before = addressee && isCompatible(addressee, { endpoint, endpointType }, isModular) ? addressee : null;
    const known = before ?? (slot.isFresh ? readFreshChoices().find((one) => one.endpoint === endpoint) : undefined);
    const carried = known?.settings && carrySettings(endpointType, model, known.settings);
    const choice = { ...picked, settings: picked.settings ?? carried };
    if (before || path.length === 0) store.set(slotAtom(index), { ...slot, choice });
    else startNewChat(store, index, choice);
    askForKey(endpoint);
  };
}
