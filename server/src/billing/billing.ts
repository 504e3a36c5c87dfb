// Charges users for asks. Credits are reserved in the transaction that begins an ask and charged in the one that ends
// it, so concurrent asks cannot spend the same credits twice.
import type { Db, Tx } from '@parley/db/client';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Usage } from '@parley/schema/messages/messages';
import type { Settings } from '@parley/schema/catalog/params';
import { creditsFor, isCharged, modelRates, type Rates } from '@parley/schema/catalog/rates';
import { countTokens } from '../catalog/count-tokens.ts';
import { replyReserveOf } from '@parley/schema/catalog/windows';
import { withTimeout } from '../platform/deadline.ts';
import { refuse } from '../platform/errors.ts';
import type { Delta } from '../generation/delta.ts';
import { soundUsage } from '../generation/usage.ts';
import { findBalance, lockSpendable, pay, reserve, extendReservation, type Bill } from './balances.ts';
import { clampReportedUsage } from './clamp-reported-usage.ts';
import { billItems } from './bill-items.ts';
import { enforceBalance, type StreamFn } from './enforce-balance.ts';
import { createStepMeter, type StepMeter } from './meter-steps.ts';
import type { Reservation } from './reservation.ts';

/** Reserves credits inside the transaction of an ask. */
export type Reserve = (tx: Tx) => Promise<Reservation>;

/** What billing needs to know of an ask. */
export interface Chargeable {
  userId: string;
  owner: string;
  generationId: string;
  endpointType: EndpointType;
  model: string;
  settings: Settings;
  /** The prices the provider reports. */
  rates: Rates | undefined;
  /** Whether the provider's server is the user's own: it could report any usage. */
  isUsersServer: boolean;
  countPromptTokens(): Promise<number>;
}

/** A call beside a reply, such as a title's. */
export interface SideCall {
  userId: string;
  convoId: string;
  context: Bill['context'];
  endpointType: EndpointType;
  model: string;
  /** The prices the provider reports. */
  rates: Rates | undefined;
  prompt: string;
  text: string;
  /** Null when the provider reported none. */
  usage: Pick<Usage, 'input' | 'output'> | null;
}

export interface Billing {
  /**
   * Call before the transaction of an ask: estimates its cost and returns the function that reserves it inside the
   * transaction; null where nothing is charged. That function throws Refusal `token_balance` when the balance does not
   * even cover the prompt.
   */
  quote(ask: Chargeable): Promise<Reserve | null>;
  /**
   * Passes the reply on while its usage is credible and covered by the balance. `reserved` is null where nothing is
   * charged.
   * @throws Refusal `token_balance` when the reply costs more than the balance
   */
  meter(ask: Chargeable, reserved: Reservation | null, stream: StreamFn, signal: AbortSignal): AsyncIterable<Delta>;
  /** The same for a reply of several model calls. */
  meterSteps(ask: Chargeable, reserved: Reservation | null): StepMeter;
  /** Whether this user can pay for a call beside the reply. */
  canPay(userId: string, type: EndpointType): Promise<boolean>;
  /** Charges what a call beside the reply has used. */
  charge(call: SideCall): Promise<void>;
}

export function createBilling(db: Db, isChecked: boolean): Billing {
  return isChecked ? { quote, meter, meterSteps, canPay, charge } : free;

  async function quote({ userId, endpointType, model, settings, ...ask }: Chargeable): Promise<Reserve | null> {
    if (!isCharged(endpointType)) return null;
    const rates = modelRates(endpointType, model, ask.rates);
    const promptTokens = await ask.countPromptTokens();
    const tokenCost = creditsFor(promptTokens, rates.prompt);
    const most = tokenCost + creditsFor(replyReserveOf(endpointType, model, settings), rates.completion);
    return async (tx) => {
      const balance = await lockSpendable(tx, userId);
      if (balance < tokenCost) refuse({ type: 'token_balance', balance, promptTokens, tokenCost });
      const credits = Math.min(balance, most);
      await reserve(tx, userId, credits);
      return { credits, promptTokens };
    };
  }

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
    const extend = (credits: number) => soon(extendReservation(db.query, ask, credits), credits);
    return enforceBalance(credible, { reserved, rates, extend }, signal);
  }

  function meterSteps(ask: Chargeable, reserved: Reservation | null): StepMeter {
    if (!reserved) return unmetered;
    const { endpointType, model, isUsersServer } = ask;
    const rates = modelRates(endpointType, model, ask.rates);
    const extend = (credits: number) => soon(extendReservation(db.query, ask, credits), credits);
    return createStepMeter({ reserved, rates, isUsersServer, extend });
  }

  async function canPay(userId: string, type: EndpointType): Promise<boolean> {
    if (!isCharged(type)) return true;
    return ((await findBalance(db.query, userId))?.credits ?? 0) > 0;
  }

  async function charge({ endpointType, rates, prompt, text, usage, ...call }: SideCall): Promise<void> {
    if (!isCharged(endpointType)) return;
    const reported = usage && soundUsage(usage);
    const input = reported?.input ?? (await countTokens(prompt));
    // Usage reported at the beginning covers the prompt only.
    const output = reported?.output || (await countTokens(text));
    const used = { input, output };
    const items = billItems(used, modelRates(endpointType, call.model, rates), false);
    const bill = { ...call, generationId: null, isEstimated: !reported?.output, items };
    await db.query.transaction((tx) => pay(tx, bill, 0));
  }
}

/** The longest a reply waits for its reservation to be extended. */
const EXTEND_TIMEOUT_MS = 2000;

/**
 * A database outage must not end the reply: it goes on as if the credits were there, and the final bill charges what
 * it used.
 */
function soon(granted: Promise<number>, otherwise: number): Promise<number> {
  return withTimeout(granted, EXTEND_TIMEOUT_MS, () => otherwise).catch(() => otherwise);
}

const unmetered: StepMeter = (stream, _countPrompt, signal) => stream(signal);

/** Used where balances are off; costs no statement. */
const free: Billing = {
  quote: async () => null,
  meter: (_ask, _reserved, stream, signal) => stream(signal),
  meterSteps: () => unmetered,
  canPay: async () => true,
  charge: async () => undefined,
};
