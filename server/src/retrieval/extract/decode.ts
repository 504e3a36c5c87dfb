// Bytes to text: by their mark of order, what they say of themselves, UTF-8, else windows-1252.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

const HEAD_BYTES = 1024;

const MARKS: readonly { bytes: number[]; encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

/**
 * Yields the text of a file in pieces, without its byte order mark.
 * @param declaredIn finds the encoding that the first 1,024 bytes, read as latin1, declare
 */
export async function* readText(
  path: string,
  declaredIn: (head: string) => string | undefined = () => undefined,
): AsyncGenerator<string> {
  const encoding = await encodingOf(path, declaredIn);
  yield* decode(createReadStream(path, { highWaterMark: 256 * 1024 }), encoding);
}

export async function* decode(pieces: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** The text of a whole file in memory, by the same rules as `readText`. */
export function decodeText(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  if (marked !== undefined && marked !== 'utf-8') return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The encoding that a byte order mark stands for. */
export function markedEncoding(head: Uint8Array): string | undefined {
  return MARKS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte))?.encoding;
}

/** An encoding by a name from a file, if it is one that this runtime knows. */
export function knownEncoding(name: string | undefined): string | undefined {
  try {
    return name && new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

async function encodingOf(path: string, declaredIn: (head: string) => string | undefined): Promise<string> {
  const head = await headOf(path);
  const told = markedEncoding(head) ?? knownEncoding(declaredIn(head.toString('latin1')));
  if (told !== undefined && told !== 'utf-8') return told;
  return (await isUtf8(path)) ? 'utf-8' : 'windows-1252';
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      decoder.decode(piece as Uint8Array, { stream: true });
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
