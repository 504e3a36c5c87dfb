// Responses other than JSON with status 200, and long lists.
import { CHARACTERS_AT_ONCE, createSlices } from '../platform/event-loop.ts';
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
  const slices = createSlices(1);
  const encoder = new TextEncoder();
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await slices.spend();
      const begun = next;
      let text = '';
      while (next < items.length && next < begun + ITEMS_AT_ONCE && text.length < CHARACTERS_AT_ONCE) {
        text += `${next === 0 ? '[' : ','}${JSON.stringify(present(items[next] as T))}`;
        next += 1;
      }
      const isWhole = next === items.length;
      controller.enqueue(encoder.encode(`${items.length === 0 ? '[' : text}${isWhole ? ']' : ''}`));
      if (isWhole) controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
}
