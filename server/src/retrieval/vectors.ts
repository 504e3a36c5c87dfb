// Embeddings as they are stored: the signs of the values as bits, and the values as eight-bit numbers.

export interface StoredVector {
  /** A `0` or `1` for each value. */
  bits: string;
  vec: Int8Array;
  /** A value is its eight-bit number times this. */
  scale: number;
}

/** The vector scaled to length one; a vector of zeros stays as it is. */
export function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => (length > 0 ? value / length : value));
}

export function pack(vector: Float32Array): StoredVector {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const scale = most / 127;
  const vec = Int8Array.from(vector, (value) => (scale > 0 ? Math.round(value / scale) : 0));
  return { bits: signBits(vector), vec, scale };
}

export function signBits(vector: Float32Array): string {
  return Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('');
}

/** How alike a vector and a stored one are, from -1 to 1. */
export function similarity(vector: Float32Array, { vec, scale }: Pick<StoredVector, 'vec' | 'scale'>): number {
  let sum = 0;
  for (let at = 0; at < vec.length; at++) sum += (vector[at] ?? 0) * (vec[at] ?? 0);
  return sum * scale;
}
