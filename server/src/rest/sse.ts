// Server-sent events with the reader's pace: nothing is made for a reader whose socket is full.

/** Proxies close what is silent for a minute. */
const HEARTBEAT_MS = 15_000;

/**
 * A blank line where no event has begun says nothing. A comment does not do: readers of old tell of it as of an event
 * without data, and others pass over whatever follows it.
 */
const SILENCE = '\n';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
};

/** One event. Its JSON holds no line break, so one data line holds it. */
export function frame(event: 'message' | 'error', data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Frames as a response. The next frame is asked for when the one before has left for the socket, so frames that show
 * the newest state skip what a slow reader missed. Silence is filled with blank lines.
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
    const result = await within(next, ms);
    if (result === null) {
      yield SILENCE;
    } else {
      if (result.done) return;
      yield result.value;
      next = frames.next();
    }
  }
}

/** What the promise gives within `ms`; null when that takes longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, ms, null)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
