// Requests for OpenAI's reasoning models: only accepted parameters, and room for the reasoning.
import { endpointParams } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { countsReasoning, thinksFirst } from '@parley/schema/catalog/reasoning-models';

/** Tokens reserved for reasoning before the first word: it counts towards the answer's limit. */
const THOUGHT_TOKENS = 4096;

/** The subset of these parameters the model accepts. */
export function acceptedParams(params: Settings, model: string): Settings {
  const taken = endpointParams('openAI', model);
  return Object.fromEntries(Object.entries(params).filter(([name]) => name in taken));
}

export function reasoningTokens(model: string): number {
  return thinksFirst(model) ? THOUGHT_TOKENS : 0;
}

/** Sets the answer's token limit under the name the model expects. */
export function withTokenLimit(body: Record<string, unknown>, model: string): Record<string, unknown> {
  if (!countsReasoning(model) || !('max_tokens' in body)) return body;
  const { max_tokens, ...rest } = body;
  return { max_completion_tokens: max_tokens, ...rest };
}
