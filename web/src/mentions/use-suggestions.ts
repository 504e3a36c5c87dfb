import { IconBookmark, IconRobot, IconSparkles } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { carrySettings } from '@parley/schema/settings/carry-settings';
import { useSetAtom } from 'jotai';
import type { Chat } from '../chat/use-chat.ts';
import { type PaletteGroup, matchesWordStarts, type PaletteEntry } from '../palette/palette-entry.ts';
import type { Trigger } from './find-trigger.ts';
import { useContextSuggestions } from './use-context-suggestions.ts';
import { useApplyPreset } from '../chat/header/use-apply-preset.ts';
import { usePaletteActions } from '../palette/use-palette-actions.ts';
import { usePresets } from '../presets/use-presets.ts';
import { usePromptSuggestions } from './prompts/use-prompt-suggestions.ts';
import { endpointLabel, endpointTypeOf, type Choice } from '../catalog/choose-model.ts';
import { endpointGroups, searchGroups, type ModelRef } from '../catalog/model-groups.ts';
import { mentionsAtom } from '../chat/drafts/mention.ts';
import { useAssistantOptions } from '../endpoints/assistants/use-assistant-options.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { draftKeyOf } from '../slots/slot.ts';

/** As many as one reads at a glance, without scrolling; typing finds the others. */
const SHOWN_MAX = 7;

/** What a sign offers. `takeOut` takes it out of the text, which each entry does first. */
export function useSuggestions(chat: Chat, { sign, query }: Trigger, takeOut: () => void): PaletteGroup[] {
  const ofSign = { '/': useCommandSuggestions, '@': useAnswererSuggestions, '#': useContextSuggestions };
  // The list of one sign is mounted anew for another one.
  const groups = ofSign[sign](chat, query, takeOut);
  return firstOf(groups).filter(({ entries }) => entries.length > 0);
}

/** The last group keeps its best entry where those before it fill the list. */
function firstOf(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const last = Math.min(1, groups.at(-1)?.entries.length ?? 0);
  let left = SHOWN_MAX;
  return groups.map(({ name, entries }, index) => {
    const shown = entries.slice(0, index === groups.length - 1 ? left : left - last);
    left -= shown.length;
    return { name, entries: shown };
  });
}

/** `/`: prompts and presets, then what can be done. */
function useCommandSuggestions(chat: Chat, query: string, takeOut: () => void): PaletteGroup[] {
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

const NOBODY: Choice = { endpoint: '', model: null };

/** `@`: a model or an assistant for this question. */
function useAnswererSuggestions(chat: Chat, query: string, takeOut: () => void): PaletteGroup[] {
  const { t } = useTranslation();
  const catalog = useCatalog();
  const { names, choiceOf } = useAssistantOptions(catalog, chat.modelTarget ?? NOBODY);
  const mention = useSetAtom(mentionsAtom);
  const groups = catalog ? searchGroups(endpointGroups(catalog, names), query) : [];
  // Answers that stand side by side: one of those who gave them.
  const beside = chat.convo?.columns;

  function ask(option: ModelRef, name: string): void {
    const choice = choiceOf(option);
    if (!choice || !catalog) return;
    const { endpoint, model, settings } = choice;
    const config = catalog.endpoints[endpoint];
    const endpointType = endpointTypeOf(endpoint, config);
    takeOut();
    mention(draftKeyOf(chat.slot), {
      name,
      target: {
        endpoint,
        endpointType,
        model,
        settings: settings ?? carrySettings(endpointType, model, chat.modelTarget?.settings ?? {}),
        modelDisplayLabel: config?.modelDisplayLabel,
      },
    });
  }

  const entries = groups.flatMap((group) =>
    group.models.flatMap((model): PaletteEntry[] => {
      const name = group.names?.get(model) ?? model;
      const option = { endpoint: group.endpoint, model };
      // The option that makes a new assistant answers nothing.
      if (group.names && choiceOf(option) === null) return [];
      if (beside && !beside.some((one) => one.endpoint === option.endpoint && one.model === option.model)) return [];
      return [
        {
          id: `${group.endpoint} ${model}`,
          Icon: group.names ? IconRobot : IconSparkles,
          label: name,
          hint: endpointLabel(group.endpoint),
          run: () => ask(option, name),
        },
      ];
    }),
  );
  return [{ name: t('com_composer_models'), entries }];
}
