// Requests for OpenAI's reasoning models: only accepted parameters, and room for the thoughts.
import { paramsOf } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { countsThoughts, thinksFirst } from '@parley/schema/catalog/thinking-models';

/** Tokens reserved for thoughts before the first word: they count towards the answer's limit. */
const THOUGHT_TOKENS = 4096;

/** The subset of these parameters the model accepts. */
export function acceptedParams(params: Settings, model: string): Settings {
  const taken = paramsOf('openAI', model);
  return Object.fromEntries(Object.entries(params).filter(([name]) => name in taken));
}

export function thoughtTokensOf(model: string): number {
  return thinksFirst(model) ? THOUGHT_TOKENS : 0;
}

/** Sets the answer's token limit under the name the model expects. */
export function withTokenLimit(body: Record<string, unknown>, model: string): Record<string, unknown> {
  if (!countsThoughts(model) || !('max_tokens' in body)) return body;
  const { max_tokens, ...rest } = body;
  return { max_completion_tokens: max_tokens, ...rest };
}
