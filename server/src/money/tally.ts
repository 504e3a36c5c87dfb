import type { Delta } from '../generation/delta.ts';
import { tokensOfBytes } from '../messages/usage.ts';

/** Counts what an answer has said so far. */
export interface Tally {
  hear(delta: Delta): void;
  /** About so many tokens. */
  tokens(): number;
}

export function createTally(): Tally {
  let bytes = 0;
  const tools = new Map<string, number>();
  return { hear, tokens: () => tokensOfBytes(bytes) };

  function hear(delta: Delta): void {
    if (delta.type === 'text' || delta.type === 'reasoning') bytes += Buffer.byteLength(delta.text);
    else if (delta.type === 'tool') bytes += grownBy(delta.call.id, Buffer.byteLength(delta.call.input));
  }

  /** A call is told anew with each piece of its input. */
  function grownBy(id: string, size: number): number {
    const before = tools.get(id) ?? 0;
    tools.set(id, size);
    return size - before;
  }
}
