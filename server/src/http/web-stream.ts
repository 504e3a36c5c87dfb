import type { Readable } from 'node:stream';

/**
 * The bytes of a stream of Node, read as they are asked for. Not by `Readable.toWeb`: in Node 20 that throws where nobody
 * can catch it, and so ends the process, when its reader goes while a piece is on its way.
 */
export function toWebStream(readable: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces: AsyncIterator<Uint8Array<ArrayBuffer>> = readable[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void readable.destroy(),
    },
    { highWaterMark: 0 },
  );
}
