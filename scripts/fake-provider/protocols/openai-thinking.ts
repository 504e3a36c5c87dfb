/** OpenAI's reasoning models: what they refuse, and how much of the token limit their reasoning leave. */
import type { ChatRequest } from './openai-request.ts';

const THINKS = /^(?:openai\/)?(?:o\d|gpt-[5-9])/;
/** Of other makers: they think before any answer, and refuse nothing. */
const ALWAYS_THINKS = /-thinking$/i;
/** The reasoning efforts each accepts; the last match wins. */
const EFFORTS: [RegExp, string][] = [
  [THINKS, 'low medium high'],
  [/gpt-5/, 'minimal low medium high'],
  [/gpt-5\.\d/, 'none low medium high xhigh'],
  [/gpt-6/, 'none low medium high xhigh max'],
  [/-astra/, 'low medium high xhigh max'],
  [/o1-mini|o1-preview|-chat/, ''],
];
/** By chat completions they call tools only without thinking. */
const ONLY_RESPONSES = /gpt-(?:5\.[4-9]|[6-9])/;
const THOUGHT_TOKENS = 500;

const DEFAULTS = { temperature: 1, top_p: 1, frequency_penalty: 0, presence_penalty: 0 };

/** Whether a model reasons before it answers. */
export function thinks(model: string): boolean {
  return THINKS.test(model);
}

/** The error for a body that a reasoning model refuses. */
export function refusedByThinking(model: string, body: unknown): object | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const given: Record<string, unknown> = { ...body };
  const efforts = EFFORTS.findLast(([match]) => match.test(model))?.[1] ?? '';
  const effort = given.reasoning_effort;
  if (effort !== undefined && !efforts.split(' ').includes(String(effort)))
    return unsupported('reasoning_effort', ` Supported values are: ${efforts}.`);
  if (!THINKS.test(model)) return undefined;
  if ('max_tokens' in given) return unsupported('max_tokens', " Use 'max_completion_tokens' instead.");
  if ('stop' in given) return unsupported('stop', '');
  if ('tools' in given && ONLY_RESPONSES.test(model) && effort !== 'none') return withoutTools(model);
  const odd = Object.entries(DEFAULTS).find(([param, only]) => param in given && given[param] !== only);
  return odd && unsupportedValue(odd[0], given[odd[0]], odd[1]);
}

/** Whether thinking uses up the whole token limit. */
export function isSpentOnThinking({ model, maxTokens = Infinity }: Pick<ChatRequest, 'model' | 'maxTokens'>): boolean {
  return (THINKS.test(model) || ALWAYS_THINKS.test(model)) && maxTokens <= THOUGHT_TOKENS;
}

/** Detects title requests by their text: reasoning models get more tokens than a title needs. */
export function isThinkingOfTitle({ messages }: ChatRequest): boolean {
  return messages.length === 1 && /^write a title\b/i.test(messages[0]?.text ?? '');
}

function unsupported(param: string, instead: string): object {
  const message = `Unsupported parameter: '${param}' is not supported with this model.${instead}`;
  return { error: { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' } };
}

function withoutTools(model: string): object {
  const message = `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`;
  return { error: { message, type: 'invalid_request_error', param: 'reasoning_effort', code: null } };
}

function unsupportedValue(param: string, value: unknown, only: number): object {
  const message = `Unsupported value: '${param}' does not support ${String(value)} with this model. Only the default (${only}) value is supported.`;
  return { error: { message, type: 'invalid_request_error', param, code: 'unsupported_value' } };
}
