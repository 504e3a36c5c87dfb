import { asFields } from '@parley/schema/json';
import type { Reason } from '@parley/schema/reasons';
import { Refusal } from '../platform/errors.ts';
import { maskSecrets } from '../platform/secrets.ts';
import { readFailure } from './compatible/read-failure.ts';
import { NO_SENTENCE, reasonOfStatus } from './status.ts';

/**
 * The reason a call failed, from an official client's error or an error while reading the stream. Some servers repeat
 * the key that they refuse: `key` is kept out of what they say.
 */
export function reasonOfFailure(error: unknown, endpoint: string, key = ''): Reason {
  if (error instanceof Refusal) return error.reason;
  // The clients wrap errors thrown by our `fetch`.
  if (error instanceof Error && error.cause instanceof Refusal) return error.cause.reason;
  const { status, code, headers, isEvent = false, ...said } = looselyOf(error);
  const message = key.length < KEY_MIN ? said.message : maskSecrets(said.message, [key]);
  if (status !== null) return reasonOfStatus({ status, code, headers, text: message }, endpoint);
  if (error instanceof SyntaxError) return { type: 'provider_malformed' };
  // An error event in mid-stream has a code or a sentence, and no status.
  if (code || isEvent) return reasonOfStatus({ status: statusOf(code ?? ''), code, headers, text: message }, endpoint);
  return isUnreachable(error) ? { type: 'provider_unavailable', status: null } : { type: 'provider_broke_off' };
}

/** Shorter ones are words such as `ollama`, for servers that need no key. */
const KEY_MIN = 8;

interface Loose {
  status: number | null;
  code?: string | undefined;
  headers?: Headers | undefined;
  message: string;
  /** Whether the provider says in its stream that it failed. */
  isEvent?: boolean;
}

function looselyOf(error: unknown): Loose {
  if (!(error instanceof Error)) return { status: null, message: String(error) };
  const { status, code, type, headers, error: body } = asFields(error);
  const { text } = readFailure(body);
  return {
    status: typeof status === 'number' ? status : numberOf(code),
    code: [code, type].find((word) => typeof word === 'string'),
    headers: headers instanceof Headers ? headers : undefined,
    // The clients put the whole body into `message` where it has no sentence in their place.
    message: text === '' ? withoutStatus(error.message, status) : text,
    isEvent: text !== '' && typeof status !== 'number',
  };
}

/** OpenAI's client puts the status before the sentence, and its own words where the response has none. */
function withoutStatus(message: string, status: unknown): string {
  const prefix = `${String(status)} `;
  return message.startsWith(prefix) && !message.endsWith(NO_SENTENCE) ? message.slice(prefix.length) : message;
}

/** Gateways such as OpenRouter send the provider's HTTP status as the code. */
function numberOf(code: unknown): number | null {
  const isStatus = (typeof code === 'number' || typeof code === 'string') && /^[45]\d\d$/.test(String(code));
  return isStatus ? Number(code) : null;
}

/** What an event of a stream says instead of an answer, as the official clients throw it. */
export function failureOfEvent(event: unknown): Error | undefined {
  const { text, code } = readFailure(event);
  if (text === '') return undefined;
  const { status, code: number } = asFields(event);
  return Object.assign(new Error(text), { error: event, code: numberOf(status) ?? numberOf(number) ?? code });
}

/** The status that a code stands for. */
function statusOf(code: string): number {
  return code === 'overloaded_error' ? 529 : 500;
}

/** The official clients report a connection error when no answer began. */
function isUnreachable(error: unknown): boolean {
  return error instanceof Error && /^(Connection error|Request timed out)/.test(error.message);
}
