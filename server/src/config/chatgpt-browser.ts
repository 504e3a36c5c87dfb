import type { EndpointType } from '@parley/schema/endpoints';
import { withoutTrailingSlash } from './addresses.ts';
import { credentialOf, type Credential } from './credentials.ts';
import type { Env } from './env.ts';
import type { Titles } from './titles.ts';

export type ChatGPTBrowserEndpoint =
  | { enabled: false }
  | {
      enabled: true;
      order: number;
      /** An access token in place of a key. */
      key: Credential;
      /** The whole address of a conversation; ChatGPT's own when undefined. */
      conversationURL: string | undefined;
      /** Offered as they are; the known ones when undefined. */
      models: string[] | undefined;
      titles: Titles;
    };

export function chatGPTBrowserEndpoint(env: Env, offered: EndpointType[]): ChatGPTBrowserEndpoint {
  const order = offered.indexOf('chatGPTBrowser');
  if (!env.CHATGPT_TOKEN || order < 0) return { enabled: false };
  return {
    enabled: true,
    order,
    key: credentialOf(env.CHATGPT_TOKEN),
    conversationURL: env.CHATGPT_REVERSE_PROXY && withoutTrailingSlash(env.CHATGPT_REVERSE_PROXY),
    models: env.CHATGPT_MODELS,
    titles: { enabled: env.TITLE_CONVO ?? true, method: 'completion', model: { use: 'current' } },
  };
}
