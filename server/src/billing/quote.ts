// What an ask may cost, and what is set aside for it: of a balance, of budgets, of what a key may spend.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { creditsFor, isCharged, modelRates } from '@parley/schema/catalog/rates';
import { replyReserveOf } from '@parley/schema/catalog/windows';
import { refuse } from '../platform/errors.ts';
import type { KeyHolder } from '../platform/requests/key-holder.ts';
import { lockSpendable, reserve } from './balances.ts';
import type { BudgetLeft } from './budgets/budget-left.ts';
import { budgetReason, type Budgets } from './budgets/budgets.ts';
import { KeySpent, lockLeftOfKey } from './key-spending.ts';
import type { Chargeable, Reserve } from './reservation.ts';

/**
 * Call before the transaction of an ask: estimates its cost and returns the function that reserves it inside the
 * transaction; null where nothing is charged. That function throws Refusal `token_balance` or `budget` when the balance,
 * a budget or what the `key` may spend does not even cover the prompt.
 */
export type Quote = (
  userId: string,
  type: EndpointType,
  describe: () => Chargeable,
  key?: KeyHolder | null,
) => Promise<Reserve | null>;

/** `isChecked` says whether balances are. */
export function createQuote(isChecked: boolean, budgets: Budgets): Quote {
  return async (userId, type, describe, key = null) => {
    const isBudgeted = budgets.concern(userId);
    const ofKey = key?.monthlyCredits == null ? null : key;
    if (!(isChecked || isBudgeted || ofKey) || !isCharged(type)) return null;
    const { endpointType, model, settings, ...ask } = describe();
    const rates = modelRates(endpointType, model, ask.rates);
    const promptTokens = await ask.countPromptTokens();
    const tokenCost = creditsFor(promptTokens, rates.prompt);
    const most = tokenCost + creditsFor(replyReserveOf(endpointType, model, settings), rates.completion);
    return async (tx, taken = 0) => {
      const limit = isBudgeted ? less(await budgets.lockTightest(tx, userId), taken) : null;
      if (limit && limit.left < tokenCost) refuse(budgetReason(limit));
      const leftOfKey = ofKey ? await lockLeftOfKey(tx, ofKey) : most;
      if (ofKey && (leftOfKey < tokenCost || (leftOfKey === 0 && most > 0)))
        throw new KeySpent(ofKey.monthlyCredits ?? 0, { balance: leftOfKey, promptTokens, tokenCost });
      if (!limit && !isChecked && !ofKey) return null;
      const balance = isChecked ? await lockSpendable(tx, userId) : most;
      if (balance < tokenCost) refuse({ type: 'token_balance', balance, promptTokens, tokenCost });
      const credits = Math.min(balance, limit?.left ?? most, leftOfKey, most);
      if (isChecked) await reserve(tx, userId, credits);
      return { credits, promptTokens, isOfBalance: isChecked, isOfBudget: limit !== null, ofKey };
    };
  };
}

function less(limit: BudgetLeft | null, taken: number): BudgetLeft | null {
  return limit && { ...limit, left: Math.max(0, limit.left - taken) };
}
