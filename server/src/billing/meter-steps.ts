import { creditsFor, type Rates } from '@parley/schema/catalog/rates';
import { refuse } from '../platform/errors.ts';
import type { Delta } from '../generation/delta.ts';
import { clampReportedUsage } from './clamp-reported-usage.ts';
import type { Extension } from './extension.ts';
import { enforceBalance, type StreamFn } from './enforce-balance.ts';
import type { Reservation } from './reservation.ts';
import { createUsageCounter } from './usage-counter.ts';

/**
 * Passes one model call of a reply on, while the balance covers it. `countPrompt` counts its prompt, which is set
 * aside before the call.
 * @throws Refusal `token_balance`, `budget`
 */
export type StepMeter = (
  stream: StreamFn,
  countPrompt: () => Promise<number>,
  signal: AbortSignal,
) => AsyncIterable<Delta>;

export interface Metering extends Extension {
  /** For the first call, whose prompt it counts. */
  reserved: Reservation;
  rates: Rates;
  /** The provider's server is the user's own: it could report any usage. */
  isUsersServer: boolean;
}

/** Tokens of a reply that are set aside with its prompt. */
const ANSWER_TOKENS = 1024;

/** Meters the model calls of one reply, one after another: what earlier calls have cost is no longer there. */
export function createStepMeter({ reserved, rates, isUsersServer, extend, refusal }: Metering): StepMeter {
  let { credits } = reserved;
  let spent = 0;
  let isFirst = true;
  return meter;

  async function* meter(stream: StreamFn, countPrompt: () => Promise<number>, signal: AbortSignal) {
    const promptTokens = isFirst ? reserved.promptTokens : await countPrompt();
    isFirst = false;
    const promptCost = creditsFor(promptTokens, rates.prompt);
    await setAside(promptCost + creditsFor(ANSWER_TOKENS, rates.completion));
    if (credits - spent < promptCost)
      refuse(refusal({ balance: Math.max(0, credits - spent), promptTokens, tokenCost: promptCost }));
    const credible: StreamFn = (until) =>
      isUsersServer ? clampReportedUsage(stream(until), promptTokens) : stream(until);
    const guard = { reserved: { credits: credits - spent, promptTokens }, rates, extend: extendBy, refusal };
    const counter = createUsageCounter();
    let reported = { input: promptTokens, output: 0 };
    try {
      for await (const delta of enforceBalance(credible, guard, signal)) {
        counter.add(delta);
        if (delta.type === 'usage') reported = delta;
        yield delta;
      }
    } finally {
      const output = reported.output || counter.tokens();
      spent += creditsFor(reported.input, rates.prompt) + creditsFor(output, rates.completion);
    }
  }

  async function setAside(wanted: number): Promise<void> {
    const missing = wanted - (credits - spent);
    if (missing > 0) await extendBy(missing);
  }

  async function extendBy(wanted: number): Promise<number> {
    const got = await extend(wanted);
    credits += got;
    return got;
  }
}
