import { creditsFor, type Rates } from '@parley/schema/rates';
import { refuse } from '../errors.ts';
import type { Delta } from '../generation/delta.ts';
import type { Reservation } from './money.ts';
import { createTally } from './tally.ts';

export interface Means {
  reserved: Reservation;
  rates: Rates;
  /** Sets more credits aside, as many of these as there are, and tells how many. */
  more(credits: number): Promise<number>;
}

/** What is set aside beyond what was said, in tokens: one statement for so many. */
const STEP = 1024;
/** What may be said beyond what is set aside, in tokens: our count is a guess, and half an answer is of little use. */
const SLACK = 64;

/** Asks a provider, and hears what it says until `signal` aborts. */
export type Say = (signal: AbortSignal) => AsyncIterable<Delta>;

/**
 * What an answer says, for as long as it can be paid: more is set aside while it grows. Where nothing is left it ends.
 * @throws Refusal `token_balance`
 */
export async function* withinMeans(say: Say, means: Means, signal: AbortSignal): AsyncGenerator<Delta> {
  const { rates, more } = means;
  const { promptTokens } = means.reserved;
  const promptCost = creditsFor(promptTokens, rates.prompt);
  const tally = createTally();
  let { credits } = means.reserved;
  let affordable = tokensFor(credits);
  const ending = new AbortController();
  const end = () => ending.abort(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  const heard = say(ending.signal)[Symbol.asyncIterator]();
  try {
    for (let next = await heard.next(); !next.done; next = await heard.next()) {
      yield next.value;
      tally.hear(next.value);
      if (tally.tokens() > affordable) await goOn();
    }
  } finally {
    // Not waited for: a stream that is stopped while it is left may never say that it has ended.
    signal.removeEventListener('abort', end);
    ending.abort();
    void heard.return?.().catch(() => undefined);
  }

  async function goOn(): Promise<void> {
    credits += await more(creditsFor(tally.tokens() - affordable + STEP, rates.completion));
    affordable = tokensFor(credits);
    if (tally.tokens() <= affordable) return;
    const tokenCost = promptCost + creditsFor(tally.tokens(), rates.completion);
    refuse({ type: 'token_balance', balance: credits, promptTokens, tokenCost });
  }

  function tokensFor(all: number): number {
    return rates.completion > 0 ? (all - promptCost) / rates.completion + SLACK : Infinity;
  }
}
