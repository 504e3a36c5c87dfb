import type { Preset } from '@parley/schema/settings/presets';
import { useAtomValue, useStore } from 'jotai';
import { useTranslation } from 'react-i18next';
import { startNewChat, useSlotIndex } from '../../slots/slot.ts';
import type { Chat } from '../use-chat.ts';
import { useSwitchEndpoint } from '../use-switch-endpoint.ts';
import { choosePreset, type Choice } from '../../catalog/choose-model.ts';
import { lastChoicesAtom } from '../../catalog/last-choices.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';

/** Duration in milliseconds. */
const SELECTED_TOAST_MS = 750;

/**
 * `apply` uses a preset in the open chat if the endpoints are compatible, else in a new one; `begin` always starts a
 * new one. If its endpoint is not available, only shows a notice.
 */
export function useApplyPreset(chat: Chat) {
  const { t } = useTranslation();
  const store = useStore();
  const index = useSlotIndex();
  const catalog = useCatalog();
  const memory = useAtomValue(lastChoicesAtom);
  const pick = useSwitchEndpoint(chat);

  function choose(preset: Preset): Choice | null {
    const choice = catalog ? choosePreset(preset, catalog, memory) : null;
    if (!choice) showToast({ message: t('com_endpoint_preset_unavailable', { 0: preset.title }), severity: 'warning' });
    return choice;
  }

  return {
    apply(preset: Preset): void {
      const choice = choose(preset);
      if (!choice) return;
      pick(choice, 'new');
      const message = t('com_endpoint_preset_selected', { 0: preset.title });
      showToast({ message, severity: 'success', duration: SELECTED_TOAST_MS });
    },
    begin(preset: Preset): void {
      const choice = choose(preset);
      if (choice) startNewChat(store, index, choice);
    },
  };
}
