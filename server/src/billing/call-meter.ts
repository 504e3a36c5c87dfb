// Counts the model calls of a reply, or of a program's call, and holds them to what is reserved for them.
import { costInCredits, creditsFor, type Rates } from '@parley/schema/catalog/rates';
import { addUsage, type ReportedRates, type Usage, tokensOf, type TokenCounts } from '@parley/schema/catalog/usage';
import type { Delta } from '../generation/delta.ts';
import { refuse } from '../platform/errors.ts';
import type { Extension } from './extension.ts';
import type { Reservation } from './reservation.ts';
import { NOTHING, pricedAt, tokensOfBytes } from './usage.ts';

/** Of a picture of 1024 pixels, as Google counts it: 1,290 tokens of four bytes. */
const PICTURE_BYTES = 4 * 1290;

/** Tokens reserved ahead of the text so far, so that one statement serves that many tokens. */
const RESERVE_AHEAD_TOKENS = 1024;

/** Tokens allowed beyond the reservation: our count is an estimate, and half a reply is of little use. */
const OVERRUN_TOKENS = 64;

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
    const credible = isUsersServer ? (until: AbortSignal) => clampReportedUsage(stream(until), countPrompt) : stream;
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
async function* clampReportedUsage(deltas: AsyncIterable<Delta>, countPrompt: CountPrompt): AsyncGenerator<Delta> {
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

interface BalanceGuard extends Extension {
  reserved: Pick<Reservation, 'credits' | 'promptTokens'>;
  rates: Rates;
}

/** Asks a provider and streams its reply until `signal` aborts. */
type StreamFn = (signal: AbortSignal) => AsyncIterable<Delta>;

/**
 * Streams a reply while the balance covers it: extends the reservation as the reply grows, and ends the stream when
 * no credits are left.
 */
async function* enforceBalance(stream: StreamFn, guard: BalanceGuard, signal: AbortSignal): AsyncGenerator<Delta> {
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

// What one call of a model used: what its provider reports, and an estimate for what it does not.
type CountPrompt = () => number | Promise<number>;

interface CallCount {
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
function createUsageCounter() {
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
    else if (delta.type === 'input') grow(delta.id, (tools.get(delta.id) ?? 0) + Buffer.byteLength(delta.text));
    // A call that is sent whole holds its whole input so far.
    else if (delta.type === 'tool') grow(delta.call.id, Buffer.byteLength(delta.call.input));
  }

  function grow(id: string, size: number): void {
    bytes += size - (tools.get(id) ?? 0);
    tools.set(id, size);
  }
}
