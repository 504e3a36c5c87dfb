// Server-sent events as fast as the client reads them: what arrives while it is busy is sent together, and a provider is
// read no further while much waits.
import { withTimeout } from '../../platform/deadline.ts';

/** Proxies close a connection that is silent for a minute. */
const SILENCE_MS = 15_000;
/** Characters that may wait for a client. */
const WAITING_MAX = 256_000;
/** A comment, which clients pass over. */
const ALIVE = ': alive\n\n';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
};

export function dataFrame(value: object | string): string {
  return `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
}

/** Streams frames. `onLeave` is called when the client goes away before the end. */
export function eventStream(
  frames: AsyncGenerator<string, void>,
  onLeave: () => void,
  silenceMs = SILENCE_MS,
): Response {
  let waiting = '';
  let isOver = false;
  let onMore = () => {};
  let onRoom = () => {};
  void fill();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (waiting === '' && !isOver) await withTimeout(more(), silenceMs, () => undefined);
        const sent = waiting === '' && !isOver ? ALIVE : waiting;
        waiting = '';
        onRoom();
        if (sent !== '') controller.enqueue(encoder.encode(sent));
        if (isOver && waiting === '') controller.close();
      },
      cancel: onLeave,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: HEADERS });

  /** The frames report their own errors: they never reject. */
  async function fill(): Promise<void> {
    for await (const frame of frames) {
      waiting += frame;
      onMore();
      if (waiting.length > WAITING_MAX) await new Promise<void>((resolve) => (onRoom = resolve));
    }
    isOver = true;
    onMore();
  }

  function more(): Promise<void> {
    return new Promise((resolve) => (onMore = resolve));
  }
}
