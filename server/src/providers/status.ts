import type { Reason } from '@parley/schema/reasons';
import { saysTakesNoTools } from './tools/refused-tools.ts';
import { keepWholeText } from './tools/whole-text.ts';

export interface ProviderFailure {
  status: number;
  /** The provider's own error code. */
  code?: string | undefined;
  headers?: Headers | undefined;
  /** In seconds, where the provider sends it elsewhere than in a header. */
  retryAfter?: number | undefined;
  text: string;
}

/** The longest provider message shown to users, in characters. */
const TEXT_MAX = 500;

const BAD_KEY = new Set(['invalid_api_key', 'authentication_error', 'API_KEY_INVALID', 'UNAUTHENTICATED']);
const NO_QUOTA = new Set(['insufficient_quota', 'billing_error']);
const TOO_FAST = new Set(['rate_limit_exceeded', 'rate_limit_error']);

/** The reason for a provider's HTTP status and error code. What the provider says itself stands in its `text`. */
export function reasonOfStatus(failure: ProviderFailure, endpoint: string): Reason {
  const { status, code = '', headers, text } = failure;
  const quote = quoted(text);
  // Anthropic has no code for an empty balance, only these words.
  if (status === 402 || NO_QUOTA.has(code) || /credit balance is too low/i.test(text))
    return { type: 'insufficient_quota', endpoint, ...quote };
  if (status === 401 || BAD_KEY.has(code) || (status === 403 && isAboutKey(text)))
    return { type: 'invalid_api_key', endpoint, ...quote };
  if (status === 429 || TOO_FAST.has(code)) {
    const retryAfterSeconds = secondsOf(failure.retryAfter ?? headers?.get('retry-after'));
    return { type: 'provider_rate_limited', retryAfterSeconds, ...quote };
  }
  const tooLong = tooLongReason({ code, text });
  if (tooLong) return tooLong;
  if (status > 500 || (status === 500 && !saysTakesNoTools(text)))
    return { type: 'provider_unavailable', status, ...quote };
  const reason = { type: 'provider_refused' as const, status, text: text.slice(0, TEXT_MAX) };
  keepWholeText(reason, text);
  return reason;
}

/** The words of OpenAI's client where the response has none. */
export const NO_SENTENCE = 'status code (no body)';

/** The provider's own sentence as a field of a reason; none where it said nothing. */
export function quoted(text: string): { text?: string } {
  const said = text.trim();
  return said === '' || said.endsWith(NO_SENTENCE) ? {} : { text: said.slice(0, TEXT_MAX) };
}

/** A refusal with 403 may be for the model, the country, the content or the network: it is for the key if it says so, or nothing. */
function isAboutKey(text: string): boolean {
  const said = text.trim();
  return said === '' || said.endsWith(NO_SENTENCE) || BAD_KEY_WORDS.some((words) => words.test(said));
}

const BAD_KEY_WORDS: readonly RegExp[] = [
  /\b(?:invalid|incorrect|wrong|bad|missing|expired|revoked|unknown|unrecognized|no)\b[^.]{0,30}\b(?:api[ _-]?key|key provided|access token|auth(?:entication|orization)? token|bearer token|token|credentials?)\b/i,
  /\b(?:api[ _-]?key|access token|auth token|bearer token|credentials?)\b[^.]{0,40}\b(?:not (?:valid|found|recognized|provided|authorized)|invalid|incorrect|expired|revoked|missing|required|disabled|deactivated|malformed|leaked)\b/i,
  /\b(?:use|provide|supply|include|pass|send)\b[^.]{0,20}\bapi[ _-]?key\b/i,
  /\b(?:not|un)[ -]?authenticated\b|\bauthentication (?:failed|required|error)\b/i,
];

function secondsOf(value: number | string | null | undefined): number | null {
  const seconds = Number(value ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null;
}

// A prompt that is longer than the model's window, as providers say it. Only some have a code for it.

/** OpenAI, Azure, Groq and those that follow them; llama.cpp. */
const TOO_LONG: ReadonlySet<string> = new Set(['context_length_exceeded', 'exceed_context_size_error']);

const TOO_LONG_SENTENCES: readonly RegExp[] = [
  // OpenAI, Azure, OpenRouter, DeepSeek, vLLM: "This model's maximum context length is 4097 tokens. However, your
  // messages resulted in 4619 tokens." (github.com/ChatGPTNextWeb/NextChat/issues/625). Mistral ends with the words.
  /maximum context length/i,
  // OpenAI's Responses: "Your input exceeds the context window of this model."
  /exceeds the context window/i,
  // Anthropic: "prompt is too long: 200251 tokens > 200000 maximum" (github.com/boldsoftware/exe.dev/issues/62), and
  // "input length and `max_tokens` exceed context limit: 199211 + 20000 > 200000". Bedrock: "Input is too long".
  /prompt is too long|exceed context limit|input is too long/i,
  // Google: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)."
  // (github.com/google-gemini/gemini-cli/issues/6678)
  /input token count/i,
  // Cohere: "too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354."
  // (github.com/cohere-ai/sandbox-topically/issues/4)
  /too many tokens: total number/i,
  // xAI: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."
  /maximum prompt length/i,
  // llama.cpp: "the request exceeds the available context size (4096 tokens), try increasing it"
  /exceeds the available context size/i,
];

const WINDOW =
  /(?:maximum (?:context|prompt) length (?:is|of) |allowed \(|cannot exceed |tokens > |model with |context size \()(\d{3,9})/i;
const TOKENS =
  /(?:resulted in |requested about |you requested |too long: |token count \(|request contains |prompt contains |received )(\d{3,9})/i;

/** The reason when the text says so, with the numbers that it names. */
function tooLongReason({ code, text }: { code: string; text: string }): Reason | undefined {
  if (!TOO_LONG.has(code) && !TOO_LONG_SENTENCES.some((sentence) => sentence.test(text))) return undefined;
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? NaN);
  const [tokens, window] = [number(TOKENS), number(WINDOW)];
  return tokens > window
    ? { type: 'context_too_long', tokens, window }
    : { type: 'context_too_long', tokens: null, window: null };
}
