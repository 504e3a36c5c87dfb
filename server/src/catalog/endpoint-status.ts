import { answersForAssistants } from '@parley/schema/assistants/assistants';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Config } from '../config/config.ts';
import type { KeySource } from '../providers/define-provider.ts';
import type { Endpoints } from './endpoint.ts';

/** The status of a built-in endpoint before any request. */
export interface EndpointStatus {
  endpoint: EndpointType;
  /** `needs_key`: its users must bring keys. */
  state: 'ready' | 'needs_key' | 'off';
  /** Why it is off, in English, for the operator. */
  why: string | null;
}

/** The built-in endpoints, including those that are off. */
export function listEndpointStatus(endpoints: Endpoints): EndpointStatus[] {
  const offered = new Set(endpoints.list().map(({ name }) => name));
  return endpoints
    .providers()
    .filter(({ isCustom }) => !isCustom)
    .map(({ type, endpoints: [endpoint], disabledReason }) =>
      endpoint && offered.has(endpoint.name)
        ? { endpoint: type, state: endpoint.keySource === 'user' ? 'needs_key' : 'ready', why: null }
        : { endpoint: type, state: 'off', why: disabledReason ?? NOBODY_ANSWERS },
    );
}

const NOBODY_ANSWERS = 'no endpoint has models that take tools';

/** For the log at startup: which endpoints are ready, which need users' keys, and why the others are off. */
export function describeEndpoints({ providers }: Pick<Config, 'providers'>): string {
  const isAnswered = providers.some(({ type, endpoints }) => endpoints.length > 0 && answersForAssistants(type));
  return providers
    .flatMap(({ type, endpoints, isCustom, disabledReason }) =>
      endpoints.length === 0 && !isCustom
        ? [`${type} is off: ${disabledReason}`]
        : endpoints.map(({ name, keySource, isAnsweredByOthers }) =>
            isAnsweredByOthers && !isAnswered ? `${name} is off: ${NOBODY_ANSWERS}` : sentenceOf(name, keySource),
          ),
    )
    .join('; ');
}

function sentenceOf(name: string, keySource: KeySource): string {
  return keySource === 'user' ? `${name} is ready for users who bring a key` : `${name} is ready`;
}
