// Sets credits aside inside the transaction of an ask: of budgets, of what a key may spend, of a balance.
import type { Tx } from '@parley/db/client';
import { Refusal } from '../platform/errors.ts';
import { lockBalance, reserve } from './balances.ts';
import { budgetReason, type Budgets } from './budgets/budgets.ts';
import { KeySpent, lockLeftOfKey } from './key-spending.ts';
import type { Quoted } from './quote.ts';
import type { Reservation } from './reservation.ts';
import { creditsReserved } from './reserved-reason.ts';

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
export async function reserveEach(
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
