import type { Convo } from '@parley/schema/convos/convos';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { defaultToolsAtom, withDefaultTools } from '../catalog/default-tools.ts';
import { newChatSettingsOf } from '../catalog/last-bing-settings.ts';
import {
  revalidateChoice,
  chooseForNewChat,
  endpointTypeOf,
  replaceMissingModel,
  type Choice,
  type Catalog,
} from '../catalog/choose-model.ts';
import { lastChoicesAtom } from '../catalog/last-choices.ts';
import type { ModelTarget } from '../catalog/model-target.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { useDefaultPreset } from '../presets/use-presets.ts';

/**
 * The model that a chat uses: the user's choice, else the conversation's, else the default of new chats. Undefined
 * while unknown, null when the server offers none.
 */
export function useModelTarget(picked: Choice | null, convo: Convo | undefined, isNewChat: boolean) {
  const catalog = useCatalog();
  const memory = useAtomValue(lastChoicesAtom);
  const preset = useDefaultPreset();
  const tools = useAtomValue(defaultToolsAtom);
  return useMemo((): ModelTarget | null | undefined => {
    if (!isNewChat && !convo) return undefined;
    if (!catalog) return convo && modelTargetOf(picked ?? convo, undefined, convo);
    const keep = isNewChat ? revalidateChoice : replaceMissingModel;
    const known = picked ? keep(picked, catalog, memory) : convo;
    // What was chosen without settings has none of its own yet.
    if (known) return withTools(modelTargetOf(known, catalog, convo), isNewChat && !known.settings ? tools : []);
    if (preset === undefined) return undefined;
    const choice = chooseForNewChat(catalog, memory, preset);
    return choice && withTools(modelTargetOf(choice, catalog, convo), choice.presetId === undefined ? tools : []);
  }, [catalog, memory, preset, tools, picked, convo, isNewChat]);
}

function withTools(target: ModelTarget, tools: readonly string[]): ModelTarget {
  const { endpointType: type, model, settings } = target;
  return { ...target, settings: withDefaultTools(settings, { type, model, tools }) };
}

function modelTargetOf(
  { endpoint, model, settings, presetId }: Choice,
  catalog: Catalog | undefined,
  convo: Convo | undefined,
): ModelTarget {
  const config = catalog?.endpoints[endpoint];
  const isOwn = convo?.endpoint === endpoint;
  const endpointType = isOwn ? convo.endpointType : endpointTypeOf(endpoint, config);
  return {
    endpoint,
    endpointType,
    model,
    settings: settings ?? (isOwn ? convo.settings : newChatSettingsOf(endpointType)),
    modelDisplayLabel: config?.modelDisplayLabel,
    presetId,
  };
}
