import type { EndpointType } from '@parley/schema/endpoints';
import type { ServiceKey } from '../endpoints/google/service-key.ts';
import { USER_PROVIDED, withoutTrailingSlash } from './addresses.ts';
import type { Env } from './env.ts';
import type { Titles } from './titles.ts';

/** The server's own keys, at least one of them, or those that each user saves. */
export type GoogleKeys =
  { from: 'server'; apiKey: string | undefined; serviceKey: ServiceKey | undefined } | { from: 'user' };

export type GoogleEndpoint =
  | { enabled: false }
  | {
      enabled: true;
      order: number;
      keys: GoogleKeys;
      /** Stands in for the Gemini host; Google's own when undefined. */
      geminiURL: string | undefined;
      /** Stands in for the Vertex host; Google's own when undefined. */
      vertexURL: string | undefined;
      /** Offered as they are; fetched from Gemini when undefined. */
      models: string[] | undefined;
      titles: Titles;
    };

export function googleEndpoint(env: Env, serviceKey: ServiceKey | undefined, offered: EndpointType[]): GoogleEndpoint {
  const order = offered.indexOf('google');
  const { GOOGLE_KEY: apiKey } = env;
  if ((!apiKey && !serviceKey) || order < 0) return { enabled: false };
  return {
    enabled: true,
    order,
    keys: apiKey === USER_PROVIDED ? { from: 'user' } : { from: 'server', apiKey, serviceKey },
    geminiURL: env.GOOGLE_REVERSE_PROXY && withoutTrailingSlash(env.GOOGLE_REVERSE_PROXY),
    vertexURL: env.GOOGLE_VERTEX_REVERSE_PROXY && withoutTrailingSlash(env.GOOGLE_VERTEX_REVERSE_PROXY),
    models: env.GOOGLE_MODELS,
    titles: { enabled: env.TITLE_CONVO ?? true, method: 'completion', model: { use: 'current' } },
  };
}
