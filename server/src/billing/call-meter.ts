// Counts the model calls of a reply, or of a program's call, and holds them to what is reserved for them.
import { costInCredits, creditsFor, type Rates } from '@parley/schema/catalog/rates';
import { addUsage, type ReportedRates, type Usage } from '@parley/schema/catalog/usage';
import type { Delta } from '../generation/delta.ts';
import { refuse } from '../platform/errors.ts';
import { createUsageCounter, createCallCount, type CallCount, type CountPrompt } from './call-count.ts';
import { enforceBalance, type StreamFn } from './enforce-balance.ts';
import type { Extension } from './extension.ts';
import type { Reservation } from './reservation.ts';
import { NOTHING, pricedAt } from './usage.ts';

export interface CallMeter {
  /**
   * Passes one model call on, after those before it, while its cost is covered. Its usage deltas tell what all calls so far
   * have used. `countPrompt` counts its prompt.
   * @throws Refusal `token_balance`, `budget`, `credits_reserved` when the calls cost more than there is
   */
  pass(stream: StreamFn, countPrompt: CountPrompt, signal: AbortSignal): AsyncIterable<Delta>;
  /** What all calls have used, however they ended. */
  used(): Promise<Usage>;
}

export interface Metering {
  /** The prices that the provider reports: the usage tells them. */
  reported: ReportedRates | undefined;
  /** The provider's server is the user's own: it could report any usage. */
  isUsersServer: boolean;
  /** Whether the prompt is told before each call, so that anyone who takes the run over knows of it. */
  isAnnounced: boolean;
  /** What the calls are held to; null without limits. */
  limit: CallLimit | null;
}

export interface CallLimit extends Extension {
  /** For the first call, whose prompt it counts. */
  reserved: Reservation;
  rates: Rates;
}

/** Tokens of a reply that are set aside with the prompt of a further call. */
const ANSWER_TOKENS = 1024;

export function createCallMeter({ reported, isUsersServer, isAnnounced, limit }: Metering): CallMeter {
  const calls: CallCount[] = [];
  const hold = limit && createHold(limit);
  return { pass, used };

  async function* pass(stream: StreamFn, countPrompt: CountPrompt, signal: AbortSignal): AsyncGenerator<Delta> {
    const before = calls.length > 0 ? await used() : null;
    const isFirst = calls.length === 0;
    const count = createCallCount(countPrompt);
    calls.push(count);
    if (isAnnounced) yield told({ input: await countPrompt(), output: 0, estimated: true });
    const credible: StreamFn = (until) =>
      isUsersServer ? clampReportedUsage(stream(until), countPrompt) : stream(until);
    try {
      const deltas = hold
        ? hold(credible, { isFirst, spent: before ?? NOTHING, countPrompt }, signal)
        : credible(signal);
      for await (const delta of deltas) {
        count.add(delta);
        yield delta.type === 'usage' ? told(delta) : delta;
      }
    } catch (error) {
      // Providers charge for the prompt of what was stopped, also before its first word.
      if (!signal.aborted) count.fail();
      throw error;
    }

    function told(usage: Usage): Delta {
      return { ...pricedAt(reported, addUsage(before, usage) ?? usage), type: 'usage' };
    }
  }

  async function used(): Promise<Usage> {
    let sum: Usage | null = null;
    for (const call of calls) sum = addUsage(sum, await call.used());
    return pricedAt(reported, sum ?? NOTHING);
  }
}

interface Held {
  isFirst: boolean;
  /** By the calls before. */
  spent: Usage;
  countPrompt: CountPrompt;
}

/** Holds calls, one after another, to what is reserved: what earlier calls have cost is no longer there. */
function createHold({ reserved, rates, extend, refusal }: CallLimit) {
  let { credits } = reserved;
  return hold;

  async function* hold(stream: StreamFn, { isFirst, spent, countPrompt }: Held, signal: AbortSignal) {
    const promptTokens = isFirst ? reserved.promptTokens : await countPrompt();
    const promptCost = creditsFor(promptTokens, rates.prompt);
    const cost = costInCredits(spent, rates);
    const missing = cost + promptCost + creditsFor(ANSWER_TOKENS, rates.completion) - credits;
    if (!isFirst && missing > 0) await extendBy(missing);
    if (credits - cost < promptCost)
      refuse(refusal({ balance: Math.max(0, credits - cost), promptTokens, tokenCost: promptCost }));
    const guard = { reserved: { credits: credits - cost, promptTokens }, rates, extend: extendBy, refusal };
    yield* enforceBalance(stream, guard, signal);
  }

  async function extendBy(wanted: number): Promise<number> {
    const got = await extend(wanted);
    credits += got;
    return got;
  }
}

/**
 * Drops the usage that a user's own server reports when it is lower than our count of the prompt and the reply: its
 * owner could otherwise choose what to pay. Tokens are then counted as for a provider that reports none. What it says of a
 * cache, whose tokens cost less, counts for nothing.
 */
async function* clampReportedUsage(
  deltas: AsyncIterable<Delta>,
  countPrompt: CountPrompt,
): AsyncGenerator<Delta> {
  const counter = createUsageCounter();
  let reported: Extract<Delta, { type: 'usage' }> | null = null;
  for await (const delta of deltas) {
    counter.add(delta);
    // Held back to the end: more text may follow.
    if (delta.type === 'usage') reported = delta;
    else yield delta;
  }
  if (!reported || reported.output < counter.tokens() || reported.input < (await countPrompt())) return;
  const { cachedRead: _read, cachedWrite: _write, ...counted } = reported;
  yield counted;
}
