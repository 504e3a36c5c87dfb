// Responses other than JSON with status 200.
import type { Route } from './route.ts';

export function plain(text: string, status = 200): Response {
  return new Response(text, { status });
}

export function created(value: unknown): Response {
  return Response.json(value, { status: 201 });
}

/** Responds with the reason under the name `error`. */
export function errorOn(status: number): Route['refused'] {
  return ({ reason, text }) => (reason.type === 'unauthorized' ? null : Response.json({ error: text }, { status }));
}

/** A response without a body: malformed, foreign and unknown ids are indistinguishable. */
export function emptyOn(status: number): Route['refused'] {
  return ({ reason }) => (reason.type === 'unauthorized' ? null : new Response(null, { status }));
}
