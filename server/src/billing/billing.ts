// Charges users for asks, and holds them to the budgets. Credits are reserved in the transaction that begins an ask and
// charged in the one that ends it, so concurrent asks cannot spend the same credits twice.
import { repeatUndone, type Db, type Query, type Tx } from '@parley/db/client';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { isPriced, ratesOfCall } from '@parley/schema/catalog/rates';
import type { ReportedRates, Usage } from '@parley/schema/catalog/usage';
import type { CountedCall } from '../usage/side-calls.ts';
import { findBalance, pay, lockBalance, reserve } from './balances.ts';
import { type Budgets, budgetReason } from './budgets/budgets.ts';
import { createCallMeter, type CallMeter } from './call-meter.ts';
import { billItems } from './run-cost.ts';
import { createExtension } from './extension.ts';
import { pricedAt } from './usage.ts';
import { createQuote, type Quote, type Quoted } from './quote.ts';
import type { Chargeable, Reservation } from './reservation.ts';
import { Refusal } from '../platform/errors.ts';
import { KeySpent, lockLeftOfKey } from './key-spending.ts';
import { creditsReserved } from './reserved-reason.ts';

/** Describes a call beside a reply, such as a title's. */
export interface SideCall {
  userId: string;
  convoId: string;
  context: 'title' | 'summary';
  /** Its name. */
  endpoint: string;
  endpointType: EndpointType;
  model: string;
  /** The prices the provider reports. */
  rates: ReportedRates | undefined;
  used: Usage;
}

/** Writes what a call has used, by a statement that may wait for locks. */
export type CountOf<T> = (query: Pick<Query, 'execute'>, call: CountedCall) => Promise<T>;

export interface Billing {
  quote: Quote;
  /**
   * Reserves what was quoted for asks of one user: each gets its reservation, null where nothing limits it after all, or
   * a Refusal `token_balance` or `budget` where the prompt is not covered, `credits_reserved` where it is not because
   * other answers have reserved credits.
   */
  reserveEach(tx: Tx, quoted: readonly Quoted[]): Promise<(Reservation | Refusal | null)[]>;
  /**
   * Counts the model calls of a reply, and holds them to what is reserved; null where nothing limits them. `isAnnounced`:
   * the prompt of each call is told before it.
   */
  meter(ask: Chargeable, reserved: Reservation | null, isAnnounced: boolean): CallMeter;
  /** Says whether this user can pay for a call beside the reply, at these prices if any are given. */
  canPay(userId: string, type: EndpointType, rates: ReportedRates | undefined): Promise<boolean>;
  /**
   * Charges what a call beside the reply has used where balances are checked, in the transaction in which `count` writes
   * it, and returns its result.
   */
  charge<T>(call: SideCall, count: CountOf<T>): Promise<T>;
}

export function createBilling(db: Db, isChecked: boolean, budgets: Budgets): Billing {
  const quote = createQuote(isChecked, budgets);
  return {
    quote,
    reserveEach: (tx, quoted) => reserveEach(tx, budgets, quoted),
    meter,
    canPay,
    charge,
  };

  function meter(ask: Chargeable, reserved: Reservation | null, isAnnounced: boolean): CallMeter {
    const { rates: reported, isUsersServer } = ask;
    const rates = ratesOfCall(ask);
    const limit = reserved && { reserved, rates, ...createExtension({ db, budgets }, ask, reserved) };
    return createCallMeter({ reported, isUsersServer, isAnnounced, limit });
  }

  async function canPay(userId: string, type: EndpointType, rates: ReportedRates | undefined): Promise<boolean> {
    const isFree = rates?.prompt === 0 && rates.completion === 0;
    if (isFree || !isPriced(type)) return true;
    if (isOfBalance(type) && !((await findBalance(db.query, userId))?.credits ?? 0)) return false;
    return !budgets.concern(userId) || (await budgets.left(db.query, userId)).every(({ left }) => left > 0);
  }

  async function charge<T>({ endpoint, endpointType, rates, used, ...call }: SideCall, count: CountOf<T>): Promise<T> {
    const items = billItems(used, ratesOfCall({ endpointType, model: call.model, rates }), false);
    const credits = items.reduce((sum, item) => sum + item.credits, 0);
    const { userId, convoId, context: kind, model } = call;
    const counted: CountedCall = { userId, convoId, kind, endpoint, model, usage: pricedAt(rates, used), credits };
    if (!isOfBalance(endpointType)) return repeatUndone(() => count(db.locking, counted));
    // Usage and ledger say the same at any moment.
    return db.query.transaction(async (tx) => {
      const result = await count(tx, counted);
      await pay(tx, { ...call, generationId: null, isEstimated: used.estimated === true, items }, 0);
      return result;
    });
  }

  function isOfBalance(type: EndpointType): boolean {
    return isChecked && endpointTable[type].isOfBalance;
  }
}

// Sets credits aside inside the transaction of an ask: of budgets, of what a key may spend, of a balance.

/** Credits that are the same for all asks they hold for. */
interface Pool {
  /** Neither spent nor reserved. */
  left: number;
  /** Not spent, reserved or not. */
  unspent: number;
  holdsFor(quoted: Quoted): boolean;
  /** Tells that it is used up. */
  refusal(quoted: Quoted): Refusal;
}

/**
 * Reserves for each ask of one user, or tells why it is refused. First each gets what its prompt costs, in their order;
 * what is left is divided among their answers, so that the first does not take the room of the others.
 * @returns for each ask its reservation, null where nothing limits it after all, or a Refusal `token_balance`, `budget`
 * or `credits_reserved`
 */
async function reserveEach(
  tx: Tx,
  budgets: Budgets,
  asks: readonly Quoted[],
): Promise<(Reservation | Refusal | null)[]> {
  const { pools, isOfBudget } = await lockPools(tx, budgets, asks);
  const refused = new Map(asks.map((ask) => [ask, takePrompt(ask, pools)]));
  const rooms = divideRoom(
    asks.filter((ask) => !refused.get(ask)),
    pools,
  );
  const ofBalance = asks.reduce((sum, ask) => sum + (ask.isOfBalance ? (rooms.get(ask) ?? 0) : 0), 0);
  const [{ userId } = { userId: '' }] = asks;
  if (ofBalance > 0) await reserve(tx, userId, ofBalance);
  return asks.map((ask) => {
    const { promptTokens, isOfBalance, ofKey } = ask;
    const refusal = refused.get(ask);
    if (refusal) return refusal;
    if (!isOfBudget && !isOfBalance && !ofKey) return null;
    return { credits: rooms.get(ask) ?? 0, promptTokens, isOfBalance, isOfBudget, ofKey };
  });
}

/** In the order in which every transaction locks them: budgets, the key, the balance. */
async function lockPools(
  tx: Tx,
  budgets: Budgets,
  asks: readonly Quoted[],
): Promise<{ pools: Pool[]; isOfBudget: boolean }> {
  const [first] = asks;
  if (!first) return { pools: [], isOfBudget: false };
  const { userId, ofKey } = first;
  const limits = budgets.concern(userId) ? await budgets.lockAll(tx, userId) : [];
  const pools: Pool[] = limits.map((limit) => ({
    left: limit.left,
    unspent: limit.credits - limit.spent,
    holdsFor: () => true,
    refusal: () => new Refusal(budgetReason(limit)),
  }));
  if (ofKey) {
    const { most, left, unspent } = await lockLeftOfKey(tx, ofKey);
    const refusal = ({ promptTokens, least }: Quoted) =>
      new KeySpent(most, { balance: left, promptTokens, tokenCost: least });
    pools.push({ left, unspent, holdsFor: () => true, refusal });
  }
  if (asks.some(({ isOfBalance }) => isOfBalance)) {
    const { credits, reserved } = await lockBalance(tx, userId);
    const balance = credits - reserved;
    const refusal = ({ promptTokens, least: tokenCost }: Quoted) =>
      new Refusal({ type: 'token_balance', balance, promptTokens, tokenCost });
    pools.push({ left: balance, unspent: credits, holdsFor: ({ isOfBalance }) => isOfBalance, refusal });
  }
  return { pools, isOfBudget: limits.length > 0 };
}

/** Takes what the prompt costs out of all pools that hold for it, or returns why one of them does not cover it. */
function takePrompt(ask: Quoted, pools: readonly Pool[]): Refusal | null {
  const { least, most } = ask;
  const holding = pools.filter((pool) => pool.holdsFor(ask));
  const isShort = (credits: number) => credits < least || (credits <= 0 && most > 0);
  const short = holding.filter(({ left }) => isShort(left));
  if (short.length === 0) {
    for (const pool of holding) pool.left -= least;
    return null;
  }
  const spent = short.find(({ unspent }) => isShort(unspent));
  return spent ? spent.refusal(ask) : new Refusal(creditsReserved());
}

/** All credits of each ask. Those that need little leave the rest of their share to the others. */
function divideRoom(asks: readonly Quoted[], pools: readonly Pool[]): Map<Quoted, number> {
  const byNeed = asks.toSorted((a, b) => a.most - a.least - (b.most - b.least));
  return new Map(
    byNeed.map((ask, place) => {
      const sharing = byNeed.slice(place);
      const holding = pools.filter((pool) => pool.holdsFor(ask));
      const shares = holding.map((pool) => Math.floor(pool.left / sharing.filter((one) => pool.holdsFor(one)).length));
      const room = Math.min(ask.most - ask.least, ...shares);
      for (const pool of holding) pool.left -= room;
      return [ask, ask.least + room];
    }),
  );
}
