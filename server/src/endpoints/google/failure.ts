import type { Reason } from '@parley/schema/reasons';
import { reasonOfFailure } from '../failure.ts';
import { failureOf } from '../plain-wire.ts';
import { reasonOfStatus } from '../status.ts';

/** Why a call failed, in the words of Google's client or in those of the plain wire. */
export function reasonOfGoogle(error: unknown, endpoint: string): Reason {
  if (!isOfClient(error)) return reasonOfFailure(error, endpoint);
  const { message, status, errorDetails: details } = error;
  if (typeof status === 'number')
    return reasonOfStatus({ status, ...failureOf({ message: sentenceIn(message), details }) }, endpoint);
  if (/^\[GoogleGenerativeAI Error\]: (?:Failed to parse|Error parsing)/.test(message))
    return { type: 'provider_malformed' };
  const isUnreachable = message.includes('Error fetching from');
  return isUnreachable ? { type: 'provider_unavailable', status: null } : { type: 'provider_broke_off' };
}

function isOfClient(error: unknown): error is Error & { status?: unknown; errorDetails?: unknown } {
  return error instanceof Error && error.message.startsWith('[GoogleGenerativeAI Error]');
}

/** The client puts the address and the status before what Google said, and the details behind it. */
function sentenceIn(message: string): string {
  return message.replace(/^.*?: \[\d{3}[^\]]*\] /s, '').replace(/ \[\{"@type.*$/s, '');
}
