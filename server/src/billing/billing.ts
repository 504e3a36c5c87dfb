// Charges users for asks, and holds them to the budgets. Credits are reserved in the transaction that begins an ask and charged in the one that ends
// it, so concurrent asks cannot spend the same credits twice.
import type { Db, Query } from '@parley/db/client';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { soundUsage, type Usage } from '@parley/schema/messages/messages';
import { isCharged, modelRates, type Rates } from '@parley/schema/catalog/rates';
import { countTokens } from '../catalog/count-tokens.ts';
import type { Delta } from '../generation/delta.ts';
import type { CountedCall } from '../usage/side-calls.ts';
import { findBalance, pay } from './balances.ts';
import type { Budgets } from './budgets/budgets.ts';
import { clampReportedUsage } from './clamp-reported-usage.ts';
import { billItems } from './run-cost.ts';
import { createExtension } from './extension.ts';
import { enforceBalance, type StreamFn } from './enforce-balance.ts';
import { createStepMeter, type StepMeter } from './meter-steps.ts';
import { createQuote, type Quote } from './quote.ts';
import type { Chargeable, Reservation } from './reservation.ts';

/** A call beside a reply, such as a title's. */
export interface SideCall {
  userId: string;
  convoId: string;
  context: 'title' | 'summary';
  /** Its name. */
  endpoint: string;
  endpointType: EndpointType;
  model: string;
  /** The prices the provider reports. */
  rates: Rates | undefined;
  prompt: string;
  text: string;
  /** Null when the provider reported none. */
  usage: Pick<Usage, 'input' | 'output'> | null;
}

/** Writes what a call has used, by a statement that may wait for locks. */
export type CountOf<T> = (query: Pick<Query, 'execute'>, call: CountedCall) => Promise<T>;

export interface Billing {
  quote: Quote;
  /**
   * Passes the reply on while its usage is credible and covered by the balance. `reserved` is null where nothing is
   * charged.
   * @throws Refusal `token_balance`, `budget` when the reply costs more than there is
   */
  meter(ask: Chargeable, reserved: Reservation | null, stream: StreamFn, signal: AbortSignal): AsyncIterable<Delta>;
  /** The same for a reply of several model calls. */
  meterSteps(ask: Chargeable, reserved: Reservation | null): StepMeter;
  /** Whether this user can pay for a call beside the reply. */
  canPay(userId: string, type: EndpointType): Promise<boolean>;
  /**
   * Charges what a call beside the reply has used where balances are checked, in the transaction in which `count` writes
   * it, and returns its result.
   */
  charge<T>(call: SideCall, count: CountOf<T>): Promise<T>;
}

export function createBilling(db: Db, isChecked: boolean, budgets: Budgets): Billing {
  const quote = createQuote(isChecked, budgets);
  return { quote, meter, meterSteps, canPay, charge };

  function meter(
    { endpointType, model, isUsersServer, ...ask }: Chargeable,
    reserved: Reservation | null,
    stream: StreamFn,
    signal: AbortSignal,
  ): AsyncIterable<Delta> {
    if (!reserved) return stream(signal);
    const credible: StreamFn = (until) =>
      isUsersServer ? clampReportedUsage(stream(until), reserved.promptTokens) : stream(until);
    const rates = modelRates(endpointType, model, ask.rates);
    return enforceBalance(credible, { reserved, rates, ...createExtension({ db, budgets }, ask, reserved) }, signal);
  }

  function meterSteps(ask: Chargeable, reserved: Reservation | null): StepMeter {
    if (!reserved) return unmetered;
    const { endpointType, model, isUsersServer } = ask;
    const rates = modelRates(endpointType, model, ask.rates);
    return createStepMeter({ reserved, rates, isUsersServer, ...createExtension({ db, budgets }, ask, reserved) });
  }

  async function canPay(userId: string, type: EndpointType): Promise<boolean> {
    if (!isCharged(type)) return true;
    if (isChecked && !((await findBalance(db.query, userId))?.credits ?? 0)) return false;
    return !budgets.concern(userId) || (await budgets.left(db.query, userId)).every(({ left }) => left > 0);
  }

  async function charge<T>(
    { endpoint, endpointType, rates, prompt, text, usage, ...call }: SideCall,
    count: CountOf<T>,
  ): Promise<T> {
    const reported = usage && soundUsage(usage);
    const input = reported?.input ?? (await countTokens(prompt));
    // Usage reported at the beginning covers the prompt only.
    const output = reported?.output || (await countTokens(text));
    const used = { input, output, ...(!reported?.output && { estimated: true }), ...(rates && { rates }) };
    const items = isCharged(endpointType) ? billItems(used, modelRates(endpointType, call.model, rates), false) : [];
    const credits = items.reduce((sum, item) => sum + item.credits, 0);
    const { userId, convoId, context: kind, model } = call;
    const counted: CountedCall = { userId, convoId, kind, endpoint, model, usage: used, credits };
    if (!isChecked || items.length === 0) return count(db.locking, counted);
    // Usage and ledger say the same at any moment.
    return db.query.transaction(async (tx) => {
      const result = await count(tx, counted);
      await pay(tx, { ...call, generationId: null, isEstimated: used.estimated === true, items }, 0);
      return result;
    });
  }
}

const unmetered: StepMeter = (stream, _countPrompt, signal) => stream(signal);
