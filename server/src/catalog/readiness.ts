import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Config } from '../config.ts';
import type { KeySource } from '../providers/define-provider.ts';

/** The status of a built-in endpoint before any request. */
export interface Readiness {
  endpoint: EndpointType;
  /** `needs_key`: its users must bring keys. */
  state: 'ready' | 'needs_key' | 'off';
  /** Why it is off, in English, for the operator. */
  why: string | null;
}

/** The built-in endpoints, including those that are off. */
export function listReadiness({ providers }: Pick<Config, 'providers'>): Readiness[] {
  return providers
    .filter(({ isCustom }) => !isCustom)
    .map(({ type, endpoints: [endpoint], whyOff }) =>
      endpoint
        ? { endpoint: type, state: endpoint.keySource === 'user' ? 'needs_key' : 'ready', why: null }
        : { endpoint: type, state: 'off', why: whyOff },
    );
}

/** For the log at startup: which endpoints are ready, which need users' keys, and why the others are off. */
export function readinessOf({ providers }: Pick<Config, 'providers'>): string {
  return providers
    .flatMap(({ type, endpoints, isCustom, whyOff }) =>
      endpoints.length === 0 && !isCustom
        ? [`${type} is off: ${whyOff}`]
        : endpoints.map(({ name, keySource }) => sentenceOf(name, keySource)),
    )
    .join('; ');
}

function sentenceOf(name: string, keySource: KeySource): string {
  return keySource === 'user' ? `${name} is ready for users who bring a key` : `${name} is ready`;
}
