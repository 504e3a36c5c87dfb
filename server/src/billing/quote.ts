// What an ask may cost, reckoned before its transaction.
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { creditsFor, isPriced, ratesOfCall } from '@parley/schema/catalog/rates';
import { replyReserveOf } from '@parley/schema/catalog/windows';
import type { KeyHolder } from '../platform/requests/key-holder.ts';
import type { Budgets } from './budgets/budgets.ts';
import type { Chargeable } from './reservation.ts';

export interface Quoted {
  userId: string;
  promptTokens: number;
  /** What the prompt costs: without so many credits the ask is refused. */
  least: number;
  /** With the room for the answer. */
  most: number;
  isOfBalance: boolean;
  /** The key whose limit holds; null without one. */
  ofKey: KeyHolder | null;
}

/** Estimates the cost of an ask; null where nothing limits it. */
export type Quote = (
  userId: string,
  type: EndpointType,
  describe: () => Chargeable,
  key?: KeyHolder | null,
) => Promise<Quoted | null>;

/** `isChecked` says whether balances are. */
export function createQuote(isChecked: boolean, budgets: Pick<Budgets, 'concern'>): Quote {
  return async (userId, type, describe, key = null) => {
    const isOfBalance = isChecked && endpointTable[type].isOfBalance;
    const ofKey = key?.monthlyCredits == null ? null : key;
    if (!isPriced(type) || !(isOfBalance || ofKey || budgets.concern(userId))) return null;
    const ask = describe();
    const rates = ratesOfCall(ask);
    const promptTokens = await ask.countPromptTokens();
    const least = creditsFor(promptTokens, rates.prompt);
    return { userId, promptTokens, least, most: least + creditsFor(roomOf(ask), rates.completion), isOfBalance, ofKey };
  };
}

/** Gives the tokens that are set aside for the answer. */
function roomOf({ endpointType, model, settings, maxTokens = Infinity }: Chargeable): number {
  return Math.min(replyReserveOf(endpointType, model, settings), maxTokens);
}
