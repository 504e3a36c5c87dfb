// What one call of a model used: what its provider reports, and an estimate for what it does not.
import { tokensOf, type TokenCounts, type Usage } from '@parley/schema/catalog/usage';
import type { Delta } from '../generation/delta.ts';
import { createUsageCounter } from './usage-counter.ts';

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
