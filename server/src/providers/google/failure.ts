import type { Reason } from '@parley/schema/reasons';
import { reasonOfFailure } from '../failure.ts';
import { readFailure } from '../compatible/read-failure.ts';
import { reasonOfStatus } from '../status.ts';

/** Why a call failed, as Google's client reports it or as `sse-client.ts` does. */
export function reasonOfGoogle(error: unknown, endpoint: string): Reason {
  if (!isOfClient(error)) return reasonOfFailure(error, endpoint);
  const { message, status, errorDetails: details } = error;
  if (typeof status === 'number')
    return reasonOfStatus({ status, ...readFailure({ message: sentenceIn(message), details }) }, endpoint);
  if (/^\[GoogleGenerativeAI Error\]: (?:Failed to parse|Error parsing)/.test(message))
    return { type: 'provider_malformed' };
  const isUnreachable = message.includes('Error fetching from');
  return isUnreachable ? { type: 'provider_unavailable', status: null } : { type: 'provider_broke_off' };
}

function isOfClient(error: unknown): error is Error & { status?: unknown; errorDetails?: unknown } {
  return error instanceof Error && error.message.startsWith('[GoogleGenerativeAI Error]');
}

/** How much of a message is searched for its beginning: the pattern is quadratic at worst. */
const BEGINNING_MAX = 4000;
const MESSAGE_MAX = 100_000;

/** The client adds the address and status before Google's message, and the details after it. */
function sentenceIn(message: string): string {
  const details = message.indexOf(' [{"@type');
  const said = message.slice(0, details < 0 ? MESSAGE_MAX : Math.min(details, MESSAGE_MAX));
  const beginning = said.slice(0, BEGINNING_MAX).replace(/^.*?: \[\d{3}[^\][]*\] /s, '');
  return beginning + said.slice(BEGINNING_MAX);
}
