import type { Db } from '@parley/db/client';
import type { Budget, BudgetInput } from '@parley/schema/chat/budget';
import type { Attachment } from '@parley/schema/messages/messages';
import { parseSettings } from '@parley/schema/settings/settings';
import { withKnowledge } from '../../assistants/chosen-tools.ts';
import type { ContextLimits } from './context-limits.ts';
import { estimatedLimits } from './files/estimate-files.ts';
import { resolveModel } from '../checks/assert-model.ts';
import { readAttachments } from '../../files/read-attachments.ts';
import { planHistory, type LastMessage, type Plan } from './history.ts';
import { nothingAbove } from './recent-branches.ts';
import { assertMessagesSeq } from '../../messages/thread.ts';
import { readMemory, settingsWithMemory } from './ask-memory.ts';
import { foreseeInstructions, withFolderFiles, type AskInstructions } from './ask-instructions.ts';
import type { ChatServices } from '../chat-services.ts';

/**
 * Tells how much of the model's context window a question would use and what history would be sent with it, computed
 * like a real ask.
 * @throws Refusal `not_found`, `illegal_model_request`
 */
export async function readBudget(
  { db, endpoints, findResponder, recentBranches }: ChatServices,
  userId: string,
  input: BudgetInput,
): Promise<Budget> {
  const { conversationId: convoId, parentMessageId, files = [] } = input;
  const responder = await findResponder(userId, endpoints.assert(input.endpoint), input);
  const { endpoint, assistant } = responder;
  const { model, metadata } = await resolveModel(db.query, userId, responder, files);
  const settings = parseSettings(endpoint.type, input.settings, model);
  const above =
    parentMessageId === null
      ? nothingAbove
      : recentBranches.endingIn(
          userId,
          parentMessageId,
          await assertMessagesSeq(db.query, { userId, convoId }, parentMessageId),
        );
  const question = withKnowledge(questionOf(input, await readAttachments(db.query, userId, files)), assistant);
  const asked = { userId, endpoint, model, settings, metadata, assistant };
  return planBudget(db, { ...asked, convoId, question }, (limits, folder) =>
    planHistory(above, withFolderFiles(question, folder), limits),
  );
}

async function planBudget(
  db: Db,
  asked: Parameters<typeof estimatedLimits>[1] & { convoId: string; question: LastMessage },
  planWith: (limits: ContextLimits, folder: AskInstructions) => Promise<Plan>,
): Promise<Budget> {
  const instructions = await foreseeInstructions(db, asked, { conversationId: asked.convoId });
  const { personal, lent, convo, asker } = instructions;
  const memory = await readMemory(db, asked, { convo, last: asked.question }, asker);
  const whole = await budgetWith(personal, memory);
  if (whole.fits || (memory === null && personal.length === 0)) return whole;
  // The ask leaves out what is remembered, then the person's instructions, before it refuses the question.
  const unremembered = await budgetWith(personal, null);
  return unremembered.fits ? unremembered : budgetWith([], null);

  async function budgetWith(those: AskInstructions['personal'], remembered: typeof memory): Promise<Budget> {
    const settings = settingsWithMemory(instructions.settings(those), remembered);
    const limits = estimatedLimits(db.query, { ...asked, settings }, lent);
    return budgetOf(await planWith(limits, instructions), limits);
  }
}

function budgetOf(plan: Plan, { window, reserve }: ContextLimits): Budget {
  if (!plan.fits) {
    const { instructions, last: question } = plan;
    return { window, reserve, instructions, question, history: 0, included: 0, omitted: 0, summary: null, fits: false };
  }
  const { due, last: question } = plan;
  const { included, omitted, tokens = 0, instructions = 0, summary = null } = (due?.history ?? plan.history).context;
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

function questionOf({ parentMessageId, text }: BudgetInput, attached: readonly Attachment[]): LastMessage {
  const parts = [{ type: 'text' as const, text }, ...attached];
  return { messageId: null, parentMessageId, isCreatedByUser: true, parts, reason: null };
}
