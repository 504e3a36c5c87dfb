// Responses other than JSON with status 200.
import type * as z from 'zod';
import type { OtherAnswer, Refused } from './route.ts';

export function plain(text: string, status = 200): Response {
  return new Response(text, { status });
}

/** The value is of the shape that the row names for this status. */
export function created<Shape extends z.ZodType>(_shape: Shape, value: z.output<Shape>): Response {
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

/** For the document of the API: what an answer is. */
export const asJson = <Shape extends z.ZodType>(says: string, shape: Shape) => ({ says, shape });
export const asText = (says: string): OtherAnswer => ({ says, types: ['text/plain'] });
export const asEvents = (says: string, events: OtherAnswer['events'] = {}): OtherAnswer => ({
  says,
  types: ['text/event-stream'],
  events,
});
export const withoutBody = (says: string): OtherAnswer => ({ says, types: [] });
export const asBytes = (says: string, types: readonly string[]): OtherAnswer => ({ says, types });
export const asLines = (says: string, line: z.ZodType): OtherAnswer => ({
  says,
  types: ['application/x-ndjson'],
  line,
});
