// Charges users for asks, and holds them to the budgets. Credits are reserved in the transaction that begins an ask and
// charged in the one that ends it, so concurrent asks cannot spend the same credits twice.
import type { Db, Query, Tx } from '@parley/db/client';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { isPriced, ratesOfCall } from '@parley/schema/catalog/rates';
import type { ReportedRates, Usage } from '@parley/schema/catalog/usage';
import type { CountedCall } from '../usage/side-calls.ts';
import { findBalance, pay } from './balances.ts';
import type { Budgets } from './budgets/budgets.ts';
import { createCallMeter, type CallMeter } from './call-meter.ts';
import { billItems } from './run-cost.ts';
import { createExtension } from './extension.ts';
import { pricedAt } from './usage.ts';
import { createQuote, type Quote, type Quoted } from './quote.ts';
import type { Chargeable, Reservation } from './reservation.ts';
import { reserveEach } from './reserve-each.ts';
import type { Refusal } from '../platform/errors.ts';

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
    if (!isOfBalance(endpointType)) return count(db.locking, counted);
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
