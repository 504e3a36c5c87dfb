// Which endpoints ENDPOINTS offers, and where they stand in the menu.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { BUILT_IN_ENDPOINTS } from './endpoint-names.ts';
import type { Env } from './env/env.ts';

export function offeredEndpoints({ ENDPOINTS: words }: Pick<Env, 'ENDPOINTS'>): EndpointType[] {
  return words ?? [...BUILT_IN_ENDPOINTS];
}

/** Endpoints of the yaml file come last unless ENDPOINTS places them. */
const LAST_POSITION = 9999;

/** The place in the menu, lowest first; null for what ENDPOINTS leaves out. */
export function endpointPosition(type: EndpointType, offered: readonly EndpointType[]): number | null {
  const index = offered.indexOf(type);
  if (index >= 0) return index;
  return type === 'custom' ? LAST_POSITION : null;
}
