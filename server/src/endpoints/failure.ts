import type { Reason } from '@parley/schema/reasons';
import { Refusal } from '../errors.ts';
import { reasonOfStatus } from './status.ts';

/** Why a call by an official client failed; also what our own reading of a stream throws. */
export function reasonOfFailure(error: unknown, endpoint: string): Reason {
  if (error instanceof Refusal) return error.reason;
  // The clients wrap what the function threw that they were given to call with.
  if (error instanceof Error && error.cause instanceof Refusal) return error.cause.reason;
  const { status, code, headers, message } = looselyOf(error);
  if (status !== null) return reasonOfStatus({ status, code, headers, text: message }, endpoint);
  if (error instanceof SyntaxError) return { type: 'provider_malformed' };
  // An error event in mid-stream has no status, only what the provider says of it.
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
    // Anthropic's client puts the whole body into the message, and the sentence of it here.
    message: typeof apiMessage === 'string' ? apiMessage : error.message,
  };
}

/** Gateways such as OpenRouter put the status they were answered with in the place of a word. */
function numberOf(code: unknown): number | null {
  const isStatus = (typeof code === 'number' || typeof code === 'string') && /^[45]\d\d$/.test(String(code));
  return isStatus ? Number(code) : null;
}

/** The status that a word stands for where there is none. */
function statusOf(code: string): number {
  return code === 'overloaded_error' ? 529 : 500;
}

/** The official clients call it a connection error when no answer began. */
function isUnreachable(error: unknown): boolean {
  return error instanceof Error && /^(Connection error|Request timed out)/.test(error.message);
}
