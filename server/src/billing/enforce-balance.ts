import { creditsFor, type Rates } from '@parley/schema/catalog/rates';
import { refuse } from '../platform/errors.ts';
import type { Extension } from './extension.ts';
import type { Delta } from '../generation/delta.ts';
import type { Reservation } from './reservation.ts';
import { createUsageCounter } from './call-count.ts';

export interface BalanceGuard extends Extension {
  reserved: Pick<Reservation, 'credits' | 'promptTokens'>;
  rates: Rates;
}

/** Tokens reserved ahead of the text so far, so that one statement serves that many tokens. */
const RESERVE_AHEAD_TOKENS = 1024;
/** Tokens allowed beyond the reservation: our count is an estimate, and half a reply is of little use. */
const OVERRUN_TOKENS = 64;

/** Asks a provider and streams its reply until `signal` aborts. */
export type StreamFn = (signal: AbortSignal) => AsyncIterable<Delta>;

/**
 * Streams a reply while the balance covers it: extends the reservation as the reply grows, and ends the stream when
 * no credits are left.
 */
export async function* enforceBalance(
  stream: StreamFn,
  guard: BalanceGuard,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const { rates, extend, refusal } = guard;
  const { promptTokens } = guard.reserved;
  const promptCost = creditsFor(promptTokens, rates.prompt);
  const counter = createUsageCounter();
  let { credits } = guard.reserved;
  let affordable = tokensFor(credits);
  const ending = new AbortController();
  const end = () => ending.abort(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  const deltas = stream(ending.signal)[Symbol.asyncIterator]();
  try {
    for (let next = await deltas.next(); !next.done; next = await deltas.next()) {
      yield next.value;
      counter.add(next.value);
      if (counter.tokens() > affordable) await extendOrRefuse();
    }
  } finally {
    // Not awaited: an aborted stream may never report its end.
    signal.removeEventListener('abort', end);
    ending.abort();
    void deltas.return?.().catch(() => undefined);
  }

  async function extendOrRefuse(): Promise<void> {
    credits += await extend(creditsFor(counter.tokens() - affordable + RESERVE_AHEAD_TOKENS, rates.completion));
    affordable = tokensFor(credits);
    if (counter.tokens() <= affordable) return;
    const tokenCost = promptCost + creditsFor(counter.tokens(), rates.completion);
    refuse(refusal({ balance: credits, promptTokens, tokenCost }));
  }

  function tokensFor(all: number): number {
    return rates.completion > 0 ? (all - promptCost) / rates.completion + OVERRUN_TOKENS : Infinity;
  }
}
