// What OpenAI's models that think first are sent: nothing that they refuse, and room for the thoughts.
import { paramsOf } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import { countsThoughts, thinksFirst } from '@parley/schema/thinking-models';

/** What goes to thoughts before the first word, in tokens: they count as part of the answer. */
const THOUGHT_TOKENS = 4096;

/** What of these parameters the model takes. */
export function askable(params: Settings, model: string): Settings {
  const taken = paramsOf('openAI', model);
  return Object.fromEntries(Object.entries(params).filter(([name]) => name in taken));
}

export function roomForThoughts(model: string): number {
  return thinksFirst(model) ? THOUGHT_TOKENS : 0;
}

/** The bound of an answer by the name that the model knows it by. */
export function bounded(body: Record<string, unknown>, model: string): Record<string, unknown> {
  if (!countsThoughts(model) || !('max_tokens' in body)) return body;
  const { max_tokens, ...rest } = body;
  return { max_completion_tokens: max_tokens, ...rest };
}
