// The type of a file on this machine's disk. The rule is the schema's; here a text is read to its end.
import { open, type FileHandle } from 'node:fs/promises';
import type { ByteSource } from '@parley/schema/files/byte-source';
import { detectType as detect, hasFewControls, isTextName, typeOfOthers } from '@parley/schema/files/detect-type';
import { detectEncoding } from '../retrieval/extract/encodings/decode.ts';

/**
 * The type of the file at `path`, called `name` by its sender; `claimed` may be empty.
 * @returns also a type that nobody accepts: the caller decides
 */
export async function detectType(path: string, name: string, claimed: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { mime, text } = await detect(await sourceOf(file), name, claimed);
    if (text === null) return mime;
    const encoding = text === 'older' ? (await detectEncoding(path)).encoding : text;
    return (await isText(file, encoding, text === 'older', isTextName(name))) ? mime : typeOfOthers(claimed);
  } finally {
    await file.close();
  }
}

async function sourceOf(file: FileHandle): Promise<ByteSource> {
  const { size } = await file.stat();
  return {
    size,
    async read(at, length) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(length, size)), 0, undefined, at);
      return buffer.subarray(0, bytesRead);
    },
  };
}

/** What no text of an older encoding has. */
const C1 = /[\u0080-\u009f]/;

/** Whether all bytes are text of this encoding; a few need not be of UTF-8 that was guessed. Reads the file in pieces. */
async function isText(file: FileHandle, encoding: string, isGuessed: boolean, isNamedText: boolean): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: !(isGuessed && encoding === 'utf-8') });
  const piece = Buffer.alloc(256 * 1024);
  const isOlder = !encoding.startsWith('utf-');
  try {
    for (let at = 0; ;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      const text = decoder.decode(piece.subarray(0, bytesRead), { stream: bytesRead > 0 });
      if (!hasFewControls(text, isNamedText) || (isOlder && C1.test(text))) return false;
      if (bytesRead === 0) return true;
      at += bytesRead;
    }
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
