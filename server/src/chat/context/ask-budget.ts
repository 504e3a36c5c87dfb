import type { Budget, BudgetInput } from '@parley/schema/chat/budget';
import type { Attachment } from '@parley/schema/messages/messages';
import { parseSettings } from '@parley/schema/settings/settings';
import type { Deps } from '../../deps.ts';
import { metadataOf } from '../../catalog/model-list.ts';
import { contextLimitsOf, fileRulesOf, withFiles } from './context-limits.ts';
import { estimateFiles } from './files/estimate-files.ts';
import { assertModel } from '../checks/assert-model.ts';
import { modelForImages } from '../checks/vision-model.ts';
import { readAttachments } from '../../files/read-attachments.ts';
import { planHistory, type HistorySource, type LastMessage } from './history.ts';
import { messageTokens } from './token-budget.ts';
import { assertMessagesSeq } from '../../messages/thread.ts';

/**
 * How much of the model's context window a question would use and what history would be sent with it, by the same
 * computation as a real ask.
 * @throws Refusal `not_found`, `illegal_model_request`
 */
export async function readBudget(
  { db, endpoints, findAnswering, recentBranches }: Deps,
  userId: string,
  input: BudgetInput,
): Promise<Budget> {
  const { conversationId: convoId, parentMessageId, files = [] } = input;
  const answering = await findAnswering(userId, endpoints.assert(input.endpoint), input);
  const { endpoint } = answering;
  const asked = await assertModel(endpoint, userId, answering.model);
  const model = await modelForImages(db.query, userId, endpoint, asked, files);
  const settings = parseSettings(endpoint.type, input.settings, model);
  const source =
    parentMessageId === null
      ? nothingAbove
      : recentBranches.endingIn(
          userId,
          parentMessageId,
          await assertMessagesSeq(db.query, { userId, convoId }, parentMessageId),
        );
  const bare = contextLimitsOf(endpoint, model, settings, await metadataOf(endpoint, userId, model));
  const limits = withFiles(bare, estimateFiles(db.query, userId, fileRulesOf(bare)));
  const plan = await planHistory(source, questionOf(input, await readAttachments(db.query, userId, files)), limits);
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

const nothingAbove: HistorySource = { walkUp: async function* () {}, countTokens: messageTokens };

function questionOf({ parentMessageId, text }: BudgetInput, attached: readonly Attachment[]): LastMessage {
  const parts = [{ type: 'text' as const, text }, ...attached];
  return { messageId: null, parentMessageId, isCreatedByUser: true, parts, reason: null };
}
