// Bytes to text: by their mark of order, what they say of themselves, UTF-8, else the encoding that their letters
// suggest.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { unmarkedUtf16 } from '@parley/schema/files/detect-type';
import { decodeBytes } from './decode-bytes.ts';
import { guessEncoding, isTextIn, type Guess } from './guess-encoding.ts';

const HEAD_BYTES = 1024;
const PIECE_BYTES = 256 * 1024;

const MARKS: readonly { bytes: number[]; encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

export interface ReadTextOptions {
  /** Finds the encoding that the first 1,024 bytes, read as latin1, declare. */
  declaredIn?: (head: string) => string | undefined;
  /** Gets an encoding that was guessed and may be wrong. */
  onGuess?: (encoding: string) => void;
}

/** Yields the text of a file in pieces, without its byte order mark. */
export async function* readText(path: string, options: ReadTextOptions = {}): AsyncGenerator<string> {
  const { encoding, isSure } = await detectEncoding(path, options.declaredIn);
  if (!isSure) options.onGuess?.(encoding);
  yield* decode(createReadStream(path, { highWaterMark: PIECE_BYTES }), encoding);
}

export async function* decode(pieces: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** The text of a whole file in memory, by the same rules as `readText`; `guessed` is an encoding that may be wrong. */
export async function decodeText(bytes: Uint8Array): Promise<{ text: string; guessed: string | null }> {
  const marked = markedEncoding(bytes) ?? unmarkedUtf16(bytes.subarray(0, HEAD_BYTES)) ?? undefined;
  if (marked !== undefined && marked !== 'utf-8') return { text: new TextDecoder(marked).decode(bytes), guessed: null };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), guessed: null };
  } catch {
    const { encoding, isSure } = await guessEncoding(async function* whole() {
      yield bytes;
    });
    return { text: decodeBytes(bytes, encoding), guessed: isSure ? null : encoding };
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

/** The encoding of a text file. */
export async function detectEncoding(
  path: string,
  declaredIn: (head: string) => string | undefined = () => undefined,
): Promise<Guess> {
  const head = await headOf(path);
  const reported = markedEncoding(head) ?? unmarkedUtf16(head) ?? knownEncoding(declaredIn(head.toString('latin1')));
  if (reported !== undefined && reported !== 'utf-8') return { encoding: reported, isSure: true };
  const pieces = (): AsyncIterable<Uint8Array> => createReadStream(path, { highWaterMark: PIECE_BYTES });
  return (await isTextIn('utf-8', pieces())) ? { encoding: 'utf-8', isSure: true } : guessEncoding(pieces);
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
