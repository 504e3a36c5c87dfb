import type { Preset } from '@parley/schema/presets';
import { useAtomValue, useStore } from 'jotai';
import { useTranslation } from 'react-i18next';
import { startNewChat, useSlotIndex } from '../chat/slot.ts';
import type { Chat } from '../chat/use-chat.ts';
import { usePick } from '../chat/use-pick.ts';
import { choosePreset, type Choice } from '../endpoints/choose.ts';
import { choiceMemoryAtom } from '../endpoints/memory.ts';
import { useOffer } from '../endpoints/use-addressee.ts';
import { showToast } from '../lib/toast.tsx';

/** Milliseconds. */
const SELECTED_TOAST = 750;

/**
 * `apply` takes a preset for the chat that is open where the two are compatible, else for a new one; `begin` always
 * starts a new one. A preset whose endpoint is not offered is only told of.
 */
export function useApplyPreset(chat: Chat) {
  const { t } = useTranslation();
  const store = useStore();
  const index = useSlotIndex();
  const offer = useOffer();
  const memory = useAtomValue(choiceMemoryAtom);
  const pick = usePick(chat);

  function choose(preset: Preset): Choice | null {
    const choice = offer ? choosePreset(preset, offer, memory) : null;
    if (!choice) showToast({ message: t('com_endpoint_preset_unavailable', { 0: preset.title }), severity: 'warning' });
    return choice;
  }

  return {
    apply(preset: Preset): void {
      const choice = choose(preset);
      if (!choice) return;
      pick(choice);
      const message = t('com_endpoint_preset_selected', { 0: preset.title });
      showToast({ message, severity: 'success', duration: SELECTED_TOAST });
    },
    begin(preset: Preset): void {
      const choice = choose(preset);
      if (choice) startNewChat(store, index, choice);
    },
  };
}
