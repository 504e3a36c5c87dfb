// A file as long as a test wants it, written while it is read.
import { message, reference } from './files.ts';

const WORDS = 'tides and moons, herons and their nests, lighthouses and those who keep them; '.repeat(64);

/**
 * A list of conversations of 50 messages of 5 kB, each hundredth of 800, that ends with a `null`. `onRead` hears how
 * long each of its pieces is, in bytes.
 */
export function longFile(megabytes: number, onRead: (bytes: number) => void = () => {}): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let sent = 0;
  let index = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (sent >= megabytes * 1_000_000) {
          controller.enqueue(encoder.encode('null]'));
          return controller.close();
        }
        const bytes = encoder.encode(`${index === 0 ? '[' : ''}${JSON.stringify(conversation(index))},`);
        controller.enqueue(bytes);
        onRead(bytes.length);
        sent += bytes.length;
        index += 1;
      },
    },
    // It is written only when it is asked for.
    { highWaterMark: 0 },
  );
}

function conversation(index: number) {
  const messages = Array.from({ length: index % 100 === 99 ? 800 : 50 }, (_, position) =>
    message(`m${position}`, position === 0 ? null : `m${position - 1}`, `${position} of ${index}: ${WORDS}`, {
      isCreatedByUser: position % 2 === 0,
    }),
  );
  return reference(`c${index}`, messages);
}
