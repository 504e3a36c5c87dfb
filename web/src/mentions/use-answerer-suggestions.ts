import { carrySettings } from '@parley/schema/settings/carry-settings';
import { IconRobot, IconSparkles } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { endpointLabel, endpointTypeOf, type Choice } from '../catalog/choose-model.ts';
import { endpointGroups, searchGroups, type ModelRef } from '../catalog/model-groups.ts';
import { mentionsAtom } from '../chat/drafts/mention.ts';
import type { Chat } from '../chat/use-chat.ts';
import { useAssistantOptions } from '../endpoints/assistants/use-assistant-options.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import type { PaletteEntry, PaletteGroup } from '../palette/palette-entry.ts';
import { draftKeyOf } from '../slots/slot.ts';

const NOBODY: Choice = { endpoint: '', model: null };

/** `@`: a model or an assistant for this question. */
export function useAnswererSuggestions(chat: Chat, query: string, takeOut: () => void): PaletteGroup[] {
  const { t } = useTranslation();
  const catalog = useCatalog();
  const { names, choiceOf } = useAssistantOptions(catalog, chat.modelTarget ?? NOBODY);
  const mention = useSetAtom(mentionsAtom);
  const groups = catalog ? searchGroups(endpointGroups(catalog, names), query) : [];

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
