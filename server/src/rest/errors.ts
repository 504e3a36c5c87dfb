// Maps errors of procedures to REST responses.
import type { Reason, Violation } from '@parley/schema/reasons';
import { ZodError } from 'zod';
import { Refusal } from '../platform/errors.ts';
import { errorReason } from '../http/trpc.ts';
import { reasonStatus, reasonText } from '../platform/reasons.ts';

export interface RefusedRequest {
  reason: Reason;
  status: number;
  /** For users, in English. */
  text: string;
  violation: Violation | null;
}

/** The refusal that a procedure threw; null for an internal error. */
export function refusedRequest(error: unknown): RefusedRequest | null {
  if (!(error instanceof Error)) return null;
  const reason = errorReason(error);
  if (!reason) return null;
  const text = fieldsOf(error) ?? reasonText(reason);
  return { reason, status: reasonStatus(reason), text, violation: violationOf(error) };
}

function violationOf(error: Error): Violation | null {
  const refusal = error instanceof Refusal ? error : error.cause;
  return refusal instanceof Refusal ? refusal.violation : null;
}

/** The default response to a refusal. */
export function respondRefused({ reason, status, text }: RefusedRequest): Response {
  if (reason.type === 'unauthorized') return new Response('Unauthorized', { status });
  // The name by which clients of the REST API know it.
  if (reason.type === 'factor_needed') return Response.json({ message: text, twoFAPending: true }, { status });
  return Response.json({ message: text }, { status });
}

/**
 * The first validation issue of each field as `field: reason`, with the field names of the REST API, which has no
 * `target`.
 */
function fieldsOf(error: Error): string | null {
  const found = error instanceof ZodError ? error : error.cause;
  if (!(found instanceof ZodError)) return null;
  const faults = new Map<string, string>();
  for (const { path, message } of found.issues) {
    const field = path.filter((step) => step !== 'target').join('.');
    if (!faults.has(field)) faults.set(field, message);
  }
  return [...faults].map(([field, message]) => (field ? `${field}: ${message}` : message)).join(' ');
}
