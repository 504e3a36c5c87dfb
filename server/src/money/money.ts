// Who pays for what is asked. Credits are set aside in the transaction that begins an ask and paid in the one that ends
// it, so that however many are asked at once, nobody spends what is not there.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Tx } from '@parley/db/client';
import type { EndpointType } from '@parley/schema/endpoints';
import type { Usage } from '@parley/schema/messages';
import { creditsFor, isCharged, ratesOf, type Rates } from '@parley/schema/rates';
import { countTokens } from '../endpoints/tokens.ts';
import { replyReserveOf } from '@parley/schema/windows';
import { refuse } from '../errors.ts';
import type { Delta } from '../generation/delta.ts';
import { soundUsage } from '../generation/usage.ts';
import type { Ask } from '../messages/open-messages.ts';
import { findBalance, lockSpendable, pay, setAside, setMoreAside, type Bill } from './balances.ts';
import { believable } from './believable.ts';
import { itemsOf } from './items.ts';
import { promptTokensOf } from './prompt-tokens.ts';
import { withinMeans, type Say } from './within-means.ts';

/** What was set aside for an ask, and the tokens that its prompt was thought to have. */
export interface Reservation {
  credits: number;
  promptTokens: number;
}

/** Sets credits aside inside the transaction of an ask. Null where nothing is charged. */
export type Reserve = (tx: Tx) => Promise<Reservation | null>;

/** An answer that has begun. */
export interface Answer {
  ask: Ask;
  /** Null where nothing is charged. */
  reserved: Reservation | null;
}

/** A call beside an answer, such as a title's. */
export interface SideCall {
  userId: string;
  convoId: string;
  context: Bill['context'];
  endpointType: EndpointType;
  model: string;
  /** What its provider tells of its prices. */
  rates: Rates | undefined;
  prompt: string;
  text: string;
  /** Null when the provider told none. */
  usage: Pick<Usage, 'input' | 'output'> | null;
}

export interface Money {
  /**
   * Counts what an ask will cost and gives the function that sets it aside.
   * That one throws Refusal `token_balance` when not even the prompt can be paid.
   */
  prepare(ask: Ask): Promise<Reserve>;
  /**
   * What an answer says, as far as it is believed and can be paid.
   * Throws Refusal `token_balance` when more was said than there are credits for.
   */
  follow(answer: Answer, say: Say, signal: AbortSignal): AsyncIterable<Delta>;
  /** Whether this user can pay for a call beside the answer. */
  canPay(userId: string, type: EndpointType): Promise<boolean>;
  /** Charges what a call beside the answer has used. */
  charge(call: SideCall): Promise<void>;
}

export function createMoney(db: Db, isChecked: boolean): Money {
  return isChecked ? { prepare, follow, canPay, charge } : free;

  async function prepare(ask: Ask): Promise<Reserve> {
    const { userId, endpoint, model, facts, settings } = ask;
    if (!isCharged(endpoint.type)) return nothing;
    const rates = ratesOf(endpoint.type, model, facts.rates);
    const promptTokens = await promptTokensOf(db.query, ask);
    const tokenCost = creditsFor(promptTokens, rates.prompt);
    const most = tokenCost + creditsFor(replyReserveOf(endpoint.type, model, settings), rates.completion);
    return async (tx) => {
      const balance = await lockSpendable(tx, userId);
      if (balance < tokenCost) refuse({ type: 'token_balance', balance, promptTokens, tokenCost });
      const credits = Math.min(balance, most);
      await setAside(tx, userId, credits);
      return { credits, promptTokens };
    };
  }

  function follow({ ask, reserved }: Answer, say: Say, signal: AbortSignal): AsyncIterable<Delta> {
    if (!reserved) return say(signal);
    const { userId, owner, endpoint, model, facts } = ask;
    const isTheirs = endpoint.config.userProvideURL === true;
    const believed: Say = (until) => (isTheirs ? believable(say(until), reserved.promptTokens) : say(until));
    const rates = ratesOf(endpoint.type, model, facts.rates);
    const run = { userId, owner, generationId: ask.input.generationId };
    const more = (credits: number) => soon(setMoreAside(db.query, run, credits), credits);
    return withinMeans(believed, { reserved, rates, more }, signal);
  }

  async function canPay(userId: string, type: EndpointType): Promise<boolean> {
    if (!isCharged(type)) return true;
    return ((await findBalance(db.query, userId))?.credits ?? 0) > 0;
  }

  async function charge({ endpointType, rates, prompt, text, usage, ...call }: SideCall): Promise<void> {
    if (!isCharged(endpointType)) return;
    const told = usage && soundUsage(usage);
    const input = told?.input ?? (await countTokens(prompt));
    // What was told at the beginning is the prompt alone.
    const output = told?.output || (await countTokens(text));
    const used = { input, output };
    const items = itemsOf(used, ratesOf(endpointType, call.model, rates), false);
    const bill = { ...call, generationId: null, isEstimated: !told?.output, items };
    await db.query.transaction((tx) => pay(tx, bill, 0));
  }
}

/** An answer waits no longer for more to be set aside. */
const PATIENCE_MS = 2000;

/** A database that is away must not cost the answer: then it goes on as if there were enough, and the bill will tell. */
async function soon(granted: Promise<number>, otherwise: number): Promise<number> {
  const patience = new AbortController();
  const late = sleep(PATIENCE_MS, otherwise, { signal: patience.signal }).catch(() => otherwise);
  try {
    return await Promise.race([granted.catch(() => otherwise), late]);
  } finally {
    patience.abort();
  }
}

const nothing: Reserve = async () => null;

/** Where no balance is checked, which costs no statement either. */
const free: Money = {
  prepare: async () => nothing,
  follow: (_answer, say, signal) => say(signal),
  canPay: async () => true,
  charge: async () => undefined,
};
