import type { EndpointType } from '@parley/schema/endpoints';
import { withoutTrailingSlash } from './addresses.ts';
import { credentialOf, type Credential } from './credentials.ts';
import type { Env } from './env.ts';
import type { Titles } from './titles.ts';

export type BingAIEndpoint =
  | { enabled: false }
  | {
      enabled: true;
      order: number;
      /** Cookies in place of a key. */
      key: Credential;
      /** Stands in for Bing's hosts, for the chat's websocket too; Bing's own when undefined. */
      host: string | undefined;
      titles: Titles;
    };

export function bingAIEndpoint(env: Env, offered: EndpointType[]): BingAIEndpoint {
  const order = offered.indexOf('bingAI');
  if (!env.BINGAI_TOKEN || order < 0) return { enabled: false };
  return {
    enabled: true,
    order,
    key: credentialOf(env.BINGAI_TOKEN),
    host: env.BINGAI_HOST && withoutTrailingSlash(env.BINGAI_HOST),
    // A conversation may be Sydney's; its title is not.
    titles: { enabled: env.TITLE_CONVO ?? true, method: 'completion', model: { use: 'named', name: 'BingAI' } },
  };
}
