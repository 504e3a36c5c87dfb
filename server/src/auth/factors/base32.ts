const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, without padding: bytes that people may have to type. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += LETTERS[(value >> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + LETTERS[(value << (5 - bits)) & 31] : text;
}

/** The bytes of such a text, spaces, padding and the size of letters aside; null for any other text. */
export function base32Bytes(text: string): Buffer | null {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text.toUpperCase().replaceAll(/[\s=]/g, '')) {
    const digit = LETTERS.indexOf(letter);
    if (digit < 0) return null;
    value = (value << 5) | digit;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 255);
    }
    value &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}
