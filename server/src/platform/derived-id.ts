import { createHash } from 'node:crypto';

/** Derives a UUID deterministically from words; different words give different UUIDs. */
export function derivedId(...words: string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(words)).digest().subarray(0, 16);
  // RFC 9562, version 8: custom.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
