import { Readable } from 'node:stream';

/**
 * The bytes of a stream of Node, or of a generator, read as they are asked for. Not by `Readable.toWeb`: in Node 20 that throws where nobody
 * can catch it, and so ends the process, when its reader goes while a piece is on its way.
 */
export function toWebStream(source: Readable | AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array<ArrayBuffer>>;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      // A generator that waits ends when what it waits for does.
      cancel: () => void (source instanceof Readable ? source.destroy() : source.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}
