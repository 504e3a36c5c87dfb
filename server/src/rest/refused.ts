import { httpStatusOf, type Reason, type Violation } from '@parley/schema/reasons';
import { ZodError } from 'zod';
import { Refusal } from '../errors.ts';
import { reasonOf } from '../trpc.ts';
import { sentenceOf } from './sentences.ts';

export interface Refused {
  reason: Reason;
  status: number;
  /** For people, in English. */
  text: string;
  violation: Violation | null;
}

/** What a procedure refused with; null for a fault of ours. */
export function refusedWith(error: unknown): Refused | null {
  if (!(error instanceof Error)) return null;
  const reason = reasonOf(error);
  if (!reason) return null;
  const text = fieldsOf(error) ?? sentenceOf(reason);
  return { reason, status: httpStatusOf(reason), text, violation: violationOf(error) };
}

function violationOf(error: Error): Violation | null {
  const refusal = error instanceof Refusal ? error : error.cause;
  return refusal instanceof Refusal ? refusal.violation : null;
}

/** The ordinary answer to a refusal. */
export function answerRefused({ reason, status, text }: Refused): Response {
  if (reason.type === 'unauthorized') return new Response('Unauthorized', { status });
  return Response.json({ message: text }, { status });
}

/** Every finding of a form as `field: reason`, the field as these clients call it: they know of no target. */
function fieldsOf(error: Error): string | null {
  const found = error instanceof ZodError ? error : error.cause;
  if (!(found instanceof ZodError)) return null;
  return found.issues
    .map(({ path, message }) => [path.filter((step) => step !== 'target').join('.'), message])
    .map(([field, message]) => (field ? `${field}: ${message}` : message))
    .join(' ');
}
