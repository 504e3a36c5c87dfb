import type { Budget, BudgetInput } from '@parley/schema/budget';
import { parseSettings } from '@parley/schema/settings';
import type { Deps } from '../deps.ts';
import { factsOf } from '../endpoints/models.ts';
import { contextLimitsOf } from './context-limits.ts';
import { assertModel } from './exchanges.ts';
import { planHistory, type LastMessage } from './history.ts';
import { assertMessage } from './thread.ts';

/**
 * What a question would take of its model's window, and what of the conversation would be sent with it, if it were asked
 * now: by the same reckoning as when it is.
 * @throws Refusal `not_found`, `illegal_model_request`
 */
export async function readBudget({ db, endpoints }: Deps, userId: string, input: BudgetInput): Promise<Budget> {
  const { conversationId: convoId, parentMessageId } = input;
  const endpoint = endpoints.assert(input.endpoint);
  const model = await assertModel(endpoint, userId, input.model);
  const settings = parseSettings(endpoint.type, input.settings, model);
  if (parentMessageId !== null) await assertMessage(db.query, { userId, convoId }, parentMessageId);
  const limits = contextLimitsOf(endpoint, model, settings, await factsOf(endpoint, userId, model));
  const plan = await planHistory(db.query, userId, questionOf(input), limits);
  const { window, reserve } = limits;
  if (!plan.fits) {
    const { instructions, last: question } = plan;
    return { window, reserve, instructions, question, history: 0, included: 0, omitted: 0, summary: null, fits: false };
  }
  const { due, last: question } = plan;
  const { context } = due?.history ?? plan.history;
  const { included, omitted, tokens = 0, instructions = 0, summary = null } = context;
  return {
    window,
    reserve,
    instructions,
    question,
    history: tokens - instructions - question - (summary?.tokens ?? 0),
    included,
    omitted,
    summary: due ? { messages: due.about, tokens: null } : summary,
    fits: true,
  };
}

function questionOf({ parentMessageId, text }: BudgetInput): LastMessage {
  return { messageId: null, parentMessageId, isCreatedByUser: true, parts: [{ type: 'text', text }], reason: null };
}
