// Responses other than JSON with status 200, and long lists.
import { createSlices } from '../platform/event-loop.ts';
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

/** Items per slice: a few milliseconds of work. */
const ITEMS_AT_ONCE = 200;

/** Responds with a list. A long one is written in slices, which yield to other requests. */
export function listed<T>(items: readonly T[], present: (item: T) => unknown): Response {
  if (items.length <= ITEMS_AT_ONCE) return Response.json(items.map(present));
  const slices = createSlices(1);
  const encoder = new TextEncoder();
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await slices.spend();
      const texts = items.slice(next, next + ITEMS_AT_ONCE).map((item) => JSON.stringify(present(item)));
      controller.enqueue(encoder.encode(`${next === 0 ? '[' : ','}${texts.join(',')}`));
      next += ITEMS_AT_ONCE;
      if (next < items.length) return;
      controller.enqueue(encoder.encode(']'));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
}
