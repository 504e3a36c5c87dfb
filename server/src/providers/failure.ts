import type { Reason } from '@parley/schema/reasons';
import { Refusal } from '../platform/errors.ts';
import { reasonOfStatus } from './status.ts';

/** The reason a call failed, from an official client's error or an error while reading the stream. */
export function reasonOfFailure(error: unknown, endpoint: string): Reason {
  if (error instanceof Refusal) return error.reason;
  // The clients wrap errors thrown by our `fetch`.
  if (error instanceof Error && error.cause instanceof Refusal) return error.cause.reason;
  const { status, code, headers, message } = looselyOf(error);
  if (status !== null) return reasonOfStatus({ status, code, headers, text: message }, endpoint);
  if (error instanceof SyntaxError) return { type: 'provider_malformed' };
  // An error event in mid-stream has a code and no status.
  if (code) return reasonOfStatus({ status: statusOf(code), code, headers, text: message }, endpoint);
  return isUnreachable(error) ? { type: 'provider_unavailable', status: null } : { type: 'provider_broke_off' };
}

interface Loose {
  status: number | null;
  code?: string | undefined;
  headers?: Headers | undefined;
  message: string;
}

function looselyOf(error: unknown): Loose {
  if (!(error instanceof Error)) return { status: null, message: String(error) };
  const { status, code, type, headers, apiMessage } = error as Error & Record<string, unknown>;
  return {
    status: typeof status === 'number' ? status : numberOf(code),
    code: [code, type].find((word) => typeof word === 'string'),
    headers: headers instanceof Headers ? headers : undefined,
    // Anthropic's client puts the whole body into `message` and its sentence here.
    message: typeof apiMessage === 'string' ? apiMessage : withoutStatus(error.message, status),
  };
}

/** OpenAI's client puts the status before the sentence, and its own words where the response has none. */
function withoutStatus(message: string, status: unknown): string {
  const prefix = `${String(status)} `;
  return message.startsWith(prefix) && !message.endsWith(NO_SENTENCE) ? message.slice(prefix.length) : message;
}

const NO_SENTENCE = 'status code (no body)';

/** Gateways such as OpenRouter send the provider's HTTP status as the code. */
function numberOf(code: unknown): number | null {
  const isStatus = (typeof code === 'number' || typeof code === 'string') && /^[45]\d\d$/.test(String(code));
  return isStatus ? Number(code) : null;
}

/** The status that a code stands for. */
function statusOf(code: string): number {
  return code === 'overloaded_error' ? 529 : 500;
}

/** The official clients report a connection error when no answer began. */
function isUnreachable(error: unknown): boolean {
  return error instanceof Error && /^(Connection error|Request timed out)/.test(error.message);
}
