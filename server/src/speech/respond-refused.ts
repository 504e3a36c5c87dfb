// The answer to a call of speech that is refused or fails.
import type { Reason } from '@parley/schema/reasons';
import * as z from 'zod';
import { KeyRefused } from '../api-keys/principal.ts';
import { Refusal } from '../platform/errors.ts';
import { INTERNAL_ERROR_MESSAGE, reasonStatus, reasonText } from '../platform/reasons.ts';

/** With the reason for the page, which puts it into words of its own. */
export function respondFailed(error: unknown): Response {
  const headers: Record<string, string> = { Connection: 'close' };
  if (error instanceof KeyRefused) return Response.json({ message: error.message }, { status: error.status, headers });
  const reason = reasonIn(error);
  if (!reason) return Response.json({ message: INTERNAL_ERROR_MESSAGE }, { status: 500, headers });
  if (reason.type === 'unauthorized') return new Response('Unauthorized', { status: 401, headers });
  if ('retryAfterSeconds' in reason && reason.retryAfterSeconds !== null)
    headers['Retry-After'] = String(reason.retryAfterSeconds);
  return Response.json({ message: reasonText(reason), reason }, { status: reasonStatus(reason), headers });
}

function reasonIn(error: unknown): Reason | null {
  if (error instanceof Refusal) return error.reason;
  if (!(error instanceof z.ZodError)) return null;
  const [issue] = error.issues;
  return { type: 'invalid_input', text: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}` };
}
