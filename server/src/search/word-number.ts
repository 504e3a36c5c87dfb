// Mirrors the database function `search_hash`: PostgreSQL's `hashtextextended`, which is Jenkins' lookup3 with a seed
// (`hash_bytes_extended` in src/common/hashfn.c).

/** Three numbers of 32 bits: what is mixed, named `a`, `b` and `c` in the source. */
type State = Int32Array;

/** Makes the numbers of one owner's words, by which entries hold them. Words have at most 64 characters. */
export function createWordNumbers(ownerId: string): (word: string) => number {
  const bytes = Buffer.alloc(256);
  const state = new Int32Array(3);
  const owner = Buffer.from(ownerId.replaceAll('-', ''), 'hex');
  hashBytes(state, owner, owner.length, 0, 0);
  const [, high = 0, low = 0] = state;
  return (word) => hashBytes(state, bytes, bytes.write(word), high, low);
}

/** Returns the upper half of the hash, signed, and leaves both halves in the state. */
function hashBytes(state: State, bytes: Buffer, length: number, high: number, low: number): number {
  state.fill(0x9e3779b9 + length + 3923095);
  if (high !== 0 || low !== 0) {
    add(state, high, low, 0);
    mix(state);
  }
  let at = 0;
  for (; length - at >= 12; at += 12) {
    add(state, wordAt(bytes, at, length), wordAt(bytes, at + 4, length), wordAt(bytes, at + 8, length));
    mix(state);
  }
  // The lowest byte of the third number is left to the length.
  add(state, wordAt(bytes, at, length), wordAt(bytes, at + 4, length), wordAt(bytes, at + 8, length) << 8);
  return finish(state);
}

/** Up to four bytes, the first the lowest. */
function wordAt(bytes: Buffer, at: number, length: number): number {
  let word = 0;
  for (let position = Math.min(length, at + 4) - 1; position >= at; position -= 1)
    word = (word << 8) | (bytes[position] ?? 0);
  return word;
}

function add(state: State, toA: number, toB: number, toC: number): void {
  const [a = 0, b = 0, c = 0] = state;
  state[0] = a + toA;
  state[1] = b + toB;
  state[2] = c + toC;
}

function mix(state: State): void {
  let [a = 0, b = 0, c = 0] = state;
  a = (a - c) ^ rotate(c, 4);
  c = (c + b) | 0;
  b = (b - a) ^ rotate(a, 6);
  a = (a + c) | 0;
  c = (c - b) ^ rotate(b, 8);
  b = (b + a) | 0;
  a = (a - c) ^ rotate(c, 16);
  c = (c + b) | 0;
  b = (b - a) ^ rotate(a, 19);
  a = (a + c) | 0;
  c = (c - b) ^ rotate(b, 4);
  b = (b + a) | 0;
  state[0] = a;
  state[1] = b;
  state[2] = c;
}

function finish(state: State): number {
  let [a = 0, b = 0, c = 0] = state;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  state[1] = b;
  state[2] = c;
  return b;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
