import type { Delta } from '../generation/delta.ts';
import { tokensOfBytes } from './usage.ts';

/** Estimates the tokens of a reply as it grows. */
export interface UsageCounter {
  add(delta: Delta): void;
  /** An estimate. */
  tokens(): number;
}

/** Of a picture of 1024 pixels, as Google counts it: 1,290 tokens of four bytes. */
const PICTURE_BYTES = 4 * 1290;

export function createUsageCounter(): UsageCounter {
  let bytes = 0;
  /** Of the text, which may be replaced whole. */
  let textBytes = 0;
  const tools = new Map<string, number>();
  return { add, tokens: () => tokensOfBytes(bytes + textBytes) };

  function add(delta: Delta): void {
    if (delta.type === 'text') textBytes += Buffer.byteLength(delta.text);
    else if (delta.type === 'rewrite') textBytes = Buffer.byteLength(delta.text);
    else if (delta.type === 'reasoning') bytes += Buffer.byteLength(delta.text);
    else if (delta.type === 'picture' || (delta.type === 'made' && delta.part.type === 'image')) bytes += PICTURE_BYTES;
    else if (delta.type === 'input') bytes += grow(delta.id, Buffer.byteLength(delta.text));
    else if (delta.type === 'tool') bytes += growthOf(delta.call.id, Buffer.byteLength(delta.call.input));
  }

  function grow(id: string, size: number): number {
    tools.set(id, (tools.get(id) ?? 0) + size);
    return size;
  }

  /** A call that is sent whole holds its whole input so far. */
  function growthOf(id: string, size: number): number {
    const before = tools.get(id) ?? 0;
    tools.set(id, size);
    return size - before;
  }
}
