/**
 * The text of bytes in an encoding by the name that `TextDecoder` knows it by. Node 20 decodes windows-1252 as ISO
 * 8859-1 when it is given all bytes at once, which loses quotes, dashes and the sign of the euro; not in a stream.
 * @throws RangeError for an unknown encoding, TypeError with `fatal` where the bytes are no text of it
 */
export function decodeBytes(bytes: Uint8Array, encoding: string, options: { fatal?: boolean } = {}): string {
  const decoder = new TextDecoder(encoding, options);
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}
