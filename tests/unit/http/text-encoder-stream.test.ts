import { TextEncoderStream as PlatformStream } from 'node:stream/web';
import { WholeTextEncoderStream } from '@parley/server/http/trpc-http';
import { describe, expect, it } from 'vitest';

describe('text encoded as a stream', () => {
  it.each([
    [['plain', '', ' text']],
    [['é', '漢字', '😀']],
    [['split \ud83d', '\ude00 pair']],
    [['\ud83d', '', '\ude00']],
    [['lone \ud83d', 'high']],
    [['\ud83d', '\ud83d', '\ude00']],
    [['lone low \ude00', '\ude00']],
    [['high at the end \ud83d']],
  ])('has the bytes of the platform: %j', async (chunks) => {
    expect(await encoded(chunks, new WholeTextEncoderStream())).toEqual(await encoded(chunks, new PlatformStream()));
  });
});

async function encoded(chunks: string[], encoder: { readable: unknown; writable: unknown }): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const text = new ReadableStream<string>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const piece of text.pipeThrough(encoder as TransformStream<string, Uint8Array>)) pieces.push(piece);
  return Buffer.concat(pieces);
}
