import type { Convo } from '@parley/schema/convos';
import type { EndpointType } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { useDefaultPreset } from '../presets/use-default-preset.ts';
import { firstSettingsOf } from '../bing/last-settings.ts';
import { trpc } from '../trpc.ts';
import { chooseForNewChat, endpointTypeOf, keepOffered, type Choice, type Offer } from './choose.ts';
import { choiceMemoryAtom } from './memory.ts';

/** Whom and how to ask: a choice, made whole. */
export interface Addressee {
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  modelDisplayLabel?: string | undefined;
  /** The preset that it is, as long as nothing of it was changed. */
  presetId?: string | undefined;
}

/** What this server offers. Undefined until it is known. */
export function useOffer(): Offer | undefined {
  const options = { staleTime: Infinity };
  const endpoints = trpc.endpoints.list.useQuery(undefined, options).data;
  const models = trpc.endpoints.models.useQuery(undefined, options).data;
  return useMemo(() => (endpoints && models ? { endpoints, models } : undefined), [endpoints, models]);
}

/**
 * Whom a chat talks to: what was picked by hand, else the conversation's own, else what new chats start with.
 * Undefined while that is not known, null when the server offers nothing.
 */
export function useAddressee(picked: Choice | null, convo: Convo | undefined, isFresh: boolean) {
  const offer = useOffer();
  const memory = useAtomValue(choiceMemoryAtom);
  const preset = useDefaultPreset();
  return useMemo((): Addressee | null | undefined => {
    if (!isFresh && !convo) return undefined;
    if (!offer) return convo && addresseeOf(picked ?? convo, undefined, convo);
    const known = picked ? keepOffered(picked, offer, memory) : convo;
    if (known) return addresseeOf(known, offer, convo);
    if (preset === undefined) return undefined;
    const choice = chooseForNewChat(offer, memory, preset);
    return choice && addresseeOf(choice, offer, convo);
  }, [offer, memory, preset, picked, convo, isFresh]);
}

function addresseeOf(
  { endpoint, model, settings, presetId }: Choice,
  offer: Offer | undefined,
  convo: Convo | undefined,
): Addressee {
  const config = offer?.endpoints[endpoint];
  const isOwn = convo?.endpoint === endpoint;
  const endpointType = isOwn ? convo.endpointType : endpointTypeOf(endpoint, config);
  return {
    endpoint,
    endpointType,
    model,
    settings: settings ?? (isOwn ? convo.settings : firstSettingsOf(endpointType)),
    modelDisplayLabel: config?.modelDisplayLabel,
    presetId,
  };
}
