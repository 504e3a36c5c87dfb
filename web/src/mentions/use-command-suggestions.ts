import { IconBookmark } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useApplyPreset } from '../chat/header/use-apply-preset.ts';
import type { Chat } from '../chat/use-chat.ts';
import { matchesWordStarts, type PaletteEntry, type PaletteGroup } from '../palette/palette-entry.ts';
import { usePaletteActions } from '../palette/use-palette-actions.ts';
import { usePresets } from '../presets/use-presets.ts';
import { usePromptSuggestions } from './prompts/use-prompt-suggestions.ts';

/** `/`: prompts and presets, then what can be done. */
export function useCommandSuggestions(chat: Chat, query: string, takeOut: () => void): PaletteGroup[] {
  const { t } = useTranslation();
  const actions = usePaletteActions(takeOut);
  const { presets = [] } = usePresets(Infinity);
  const { apply } = useApplyPreset(chat);
  const prompts = usePromptSuggestions(chat, query, takeOut);

  const ofPresets = presets.map((preset): PaletteEntry => ({
    id: preset.presetId,
    Icon: IconBookmark,
    label: preset.title,
    run() {
      takeOut();
      apply(preset);
    },
  }));
  const commands = actions.flatMap(({ entries }) => entries).map((entry) => ({ ...entry, run: () => runAlone(entry) }));
  const isWanted = ({ label, words = '' }: PaletteEntry) =>
    typeof label === 'string' && matchesWordStarts(`${label} ${words}`, query);
  return [
    { name: t('com_prompts'), entries: prompts },
    { name: t('com_composer_presets'), entries: ofPresets.filter(isWanted) },
    { name: t('com_composer_commands'), entries: commands.filter(isWanted) },
  ];

  /** Also where the entry opens a dialog in place of the palette, which takes nothing out. */
  function runAlone({ run }: PaletteEntry): void {
    takeOut();
    run();
  }
}
