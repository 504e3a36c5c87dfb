// Responses other than JSON with status 200.
import type { Answer, Refused } from './route.ts';

export function plain(text: string, status = 200): Response {
  return new Response(text, { status });
}

export function created(value: unknown): Response {
  return Response.json(value, { status: 201 });
}

/** Responds with the reason under the name `error`. */
export function errorOn(status: number): Refused {
  return ({ reason, text }) => (reason.type === 'unauthorized' ? null : Response.json({ error: text }, { status }));
}

/** A response without a body: malformed, foreign and unknown ids are indistinguishable. */
export function emptyOn(status: number): Refused {
  return ({ reason }) => (reason.type === 'unauthorized' ? null : new Response(null, { status }));
}

/** For the document of the API: what an answer is that is no JSON. */
export const asText = (says: string): Answer => ({ says, type: 'text/plain' });
export const asEvents = (says: string): Answer => ({ says, type: 'text/event-stream' });
export const withoutBody = (says: string): Answer => ({ says, type: null });
