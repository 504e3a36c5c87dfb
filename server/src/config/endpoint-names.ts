import type { EndpointType } from '@parley/schema/endpoints';

/** The endpoints the product brings along, in the order they are offered unless ENDPOINTS says otherwise. */
export const BUILT_IN_ENDPOINTS = [
  'openAI',
  'assistants',
  'azureOpenAI',
  'google',
  'bingAI',
  'chatGPTBrowser',
  'gptPlugins',
  'anthropic',
] as const satisfies readonly EndpointType[];

/** The words of ENDPOINTS; `custom` places all endpoints of the yaml file at once. */
export const ENDPOINT_WORDS: readonly EndpointType[] = [...BUILT_IN_ENDPOINTS, 'custom'];

/** Custom endpoints that no list places come last. */
const LAST = 9999;

export function orderOfCustom(offered: readonly EndpointType[]): number {
  const index = offered.indexOf('custom');
  return index < 0 ? LAST : index;
}
