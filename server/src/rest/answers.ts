// The answers that are not JSON with status 200.
import type { Row } from './row.ts';

export function plain(text: string, status = 200): Response {
  return new Response(text, { status });
}

export function created(value: unknown): Response {
  return Response.json(value, { status: 201 });
}

/** Says what was wrong under the name `error`. */
export function asError(status: number): Row['refused'] {
  return ({ reason, text }) => (reason.type === 'unauthorized' ? null : Response.json({ error: text }, { status }));
}

/** An answer without a body: an id that is no id, somebody else's and one that never was are the same. */
export function asNothing(status: number): Row['refused'] {
  return ({ reason }) => (reason.type === 'unauthorized' ? null : new Response(null, { status }));
}
