import type { ByteRange } from '../../storage/file-store.ts';

/**
 * The range that a `Range` header asks for, of `bytes` bytes. Null for none, and for several ranges: then the whole
 * file is sent, as RFC 9110 allows.
 */
export function parseRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  // `-500` are the last 500 bytes.
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const to = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  return from < bytes && from <= to ? { from, to } : 'unsatisfiable';
}
