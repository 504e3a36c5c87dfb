// Server-sent events with backpressure: no frame is produced while the client's socket is full.
import { withTimeout } from '../platform/deadline.ts';

/** Proxies close a connection that is silent for a minute. */
const HEARTBEAT_MS = 15_000;

/**
 * The heartbeat: a blank line outside an event. A comment would not do: some old clients treat it as an event without
 * data, and others skip what follows it.
 */
const SILENCE = '\n';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
};

/** One event. JSON has no line breaks, so one data line is enough. */
export function frame(event: 'message' | 'error', data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Streams frames as a response. The next frame is requested when the previous one has been written to the socket, so a
 * slow client skips intermediate states. Sends a heartbeat during silence.
 */
export function eventStream(frames: AsyncGenerator<string, void>, heartbeatMs = HEARTBEAT_MS): Response {
  const chunks = withHeartbeat(frames, heartbeatMs);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: HEADERS });
}

async function* withHeartbeat(frames: AsyncGenerator<string, void>, ms: number): AsyncGenerator<string, void> {
  let next = frames.next();
  for (;;) {
    const result = await withTimeout(next, ms, () => null);
    if (result === null) {
      yield SILENCE;
    } else {
      if (result.done) return;
      yield result.value;
      next = frames.next();
    }
  }
}
