import type { Convo } from '@parley/schema/convos';
import type { EndpointType } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import type { EndpointsConfig, ModelsConfig } from '@parley/schema/startup';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { firstSettingsOf } from '../bing/last-settings.ts';
import { trpc } from '../trpc.ts';
import { chooseForNewChat, endpointTypeOf, type Choice } from './choose.ts';
import { choiceMemoryAtom } from './memory.ts';

/** Whom and how to ask: a choice, made whole. */
export interface Addressee {
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  modelDisplayLabel?: string | undefined;
}

export interface Offer {
  endpoints: EndpointsConfig;
  models: ModelsConfig;
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
  return useMemo((): Addressee | null | undefined => {
    if (!isFresh && !convo) return undefined;
    if (!offer) return convo && addresseeOf(picked ?? convo, undefined, convo);
    const choice = picked ?? convo ?? chooseForNewChat(offer.endpoints, offer.models, memory);
    return choice && addresseeOf(choice, offer, convo);
  }, [offer, memory, picked, convo, isFresh]);
}

function addresseeOf(
  { endpoint, model, settings }: Choice,
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
  };
}
