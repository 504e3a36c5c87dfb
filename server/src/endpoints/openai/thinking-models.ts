// OpenAI's o-series and GPT-5: they think before they answer, and refuse what the models before them take.
import type { Settings } from '@parley/schema/params';

const COUNTS_THOUGHTS = /^(?:o\d|gpt-5)/;
const THINKS = /^(?:o\d|gpt-5(?!.*-chat))/;

/** What goes to thoughts before the first word, in tokens: they count as part of the answer. */
const THOUGHT_TOKENS = 4096;

/** Refused unless they have their default. */
const SAMPLING = new Set(['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'stop']);

export function askable(params: Settings, model: string): Settings {
  if (!THINKS.test(model)) return params;
  return Object.fromEntries(Object.entries(params).filter(([name]) => !SAMPLING.has(name)));
}

export function roomForThoughts(model: string): number {
  return THINKS.test(model) ? THOUGHT_TOKENS : 0;
}

/** The bound of an answer by the name that the model knows it by. */
export function bounded(body: Record<string, unknown>, model: string): Record<string, unknown> {
  if (!COUNTS_THOUGHTS.test(model) || !('max_tokens' in body)) return body;
  const { max_tokens, ...rest } = body;
  return { max_completion_tokens: max_tokens, ...rest };
}
