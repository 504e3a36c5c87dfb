// What one call of a model used: what its provider reports, and an estimate for what it does not.
import { tokensOf, type TokenCounts, type Usage } from '@parley/schema/catalog/usage';
import type { Delta } from '../generation/delta.ts';
import { tokensOfBytes } from './usage.ts';

/** Of a picture of 1024 pixels, as Google counts it: 1,290 tokens of four bytes. */
const PICTURE_BYTES = 4 * 1290;

export type CountPrompt = () => number | Promise<number>;

export interface CallCount {
  add(delta: Delta): void;
  /** The call has failed. */
  fail(): void;
  /** What it used so far; null for a call that failed without any output or report, which providers do not charge. */
  used(): Promise<Usage | null>;
}

/** The prompt is counted only where its provider has not reported it. */
export function createCallCount(countPrompt: CountPrompt): CallCount {
  const counter = createUsageCounter();
  let reported: TokenCounts | null = null;
  let hasFinished = false;
  let hasFailed = false;
  return {
    add(delta) {
      if (delta.type === 'usage') reported = tokensOf(delta);
      if (delta.type === 'finish') hasFinished = true;
      counter.add(delta);
    },
    fail: () => void (hasFailed = true),
    async used() {
      const output = counter.tokens();
      if (!reported) return hasFailed && output === 0 ? null : { input: await countPrompt(), output, estimated: true };
      // Some providers report the prompt at the beginning: such a report does not cover the output.
      const isPart = !hasFinished || (reported.output === 0 && output > 0);
      return isPart && reported.output <= output ? { ...reported, output, estimated: true } : reported;
    },
  };
}

/** Estimates the tokens of a reply as it grows. */
interface UsageCounter {
  add(delta: Delta): void;
  /** An estimate. */
  tokens(): number;
}

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
