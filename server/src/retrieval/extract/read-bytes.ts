import { open } from 'node:fs/promises';
import { Unreadable } from './source.ts';

/**
 * The whole file, in memory of its own: pdf.js takes it over without a copy.
 * @throws `Unreadable` 'too_large'
 */
export async function readBytes(path: string, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > bytesMax) throw new Unreadable('too_large');
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size;) {
      const { bytesRead } = await file.read(bytes, at, size - at, at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
