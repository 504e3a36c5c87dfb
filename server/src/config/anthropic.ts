import type { EndpointType } from '@parley/schema/endpoints';
import { withoutTrailingSlash } from './addresses.ts';
import { credentialOf, type Credential } from './credentials.ts';
import type { Env } from './env.ts';
import { titleModelOf, type Titles } from './titles.ts';

export type AnthropicEndpoint =
  | { enabled: false }
  | {
      enabled: true;
      order: number;
      key: Credential;
      /** Followed by /v1/messages; Anthropic's own when undefined. */
      baseURL: string | undefined;
      /** Offered as they are; fetched from the provider when undefined. */
      models: string[] | undefined;
      /** Ask models older than Claude 3 by the completions call of their time. */
      forcePrompt: boolean;
      titles: Titles;
    };

export function anthropicEndpoint(env: Env, offered: EndpointType[]): AnthropicEndpoint {
  const order = offered.indexOf('anthropic');
  if (!env.ANTHROPIC_API_KEY || order < 0) return { enabled: false };
  return {
    enabled: true,
    order,
    key: credentialOf(env.ANTHROPIC_API_KEY),
    baseURL: env.ANTHROPIC_REVERSE_PROXY && withoutTrailingSlash(env.ANTHROPIC_REVERSE_PROXY),
    models: env.ANTHROPIC_MODELS,
    forcePrompt: env.ANTHROPIC_FORCE_PROMPT ?? false,
    titles: { enabled: env.TITLE_CONVO ?? true, method: 'completion', model: titleModelOf(env.ANTHROPIC_TITLE_MODEL) },
  };
}
