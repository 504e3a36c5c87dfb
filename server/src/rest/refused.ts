import { httpStatusOf, type Reason } from '@parley/schema/reasons';
import { ZodError } from 'zod';
import { reasonOf } from '../trpc.ts';
import { sentenceOf } from './sentences.ts';

export interface Refused {
  reason: Reason;
  status: number;
  /** For people, in English. */
  text: string;
}

/** What a procedure refused with; null for a fault of ours. */
export function refusedWith(error: unknown): Refused | null {
  if (!(error instanceof Error)) return null;
  const reason = reasonOf(error);
  if (!reason) return null;
  return { reason, status: httpStatusOf(reason), text: fieldsOf(error) ?? sentenceOf(reason) };
}

/** The ordinary answer to a refusal. */
export function answerRefused({ reason, status, text }: Refused): Response {
  if (reason.type === 'unauthorized') return new Response('Unauthorized', { status });
  return Response.json({ message: text }, { status });
}

/** Every finding of a form as `field: reason`. */
function fieldsOf(error: Error): string | null {
  const found = error instanceof ZodError ? error : error.cause;
  if (!(found instanceof ZodError)) return null;
  return found.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join(' ');
}
