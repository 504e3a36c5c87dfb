// Changes of a plan while it waits. Every device shows the plan of its call.
import type { Db } from '@parley/db/client';
import { researchRuns } from '@parley/db/tables/automation/research';
import { messages } from '@parley/db/tables/messages';
import { PLAN_CALL, type ResearchPlan } from '@parley/schema/chat/research';
import type { EditPlan } from '@parley/schema/chat/research-inputs';
import { isLoopCall } from '@parley/schema/messages/messages';
import { and, eq, sql } from 'drizzle-orm';
import { touchMessages } from '../convos/rows.ts';
import { assertMessage } from '../messages/thread.ts';
import { waitingCall } from './plan.ts';
import { refuse } from '../platform/errors.ts';
import { lockWaiting, readResearch } from './rows.ts';

/**
 * Keeps the plan and returns its new version.
 * @throws Refusal `not_found`, or `conflict` where another device was faster or the research has begun
 */
export async function editPlan(
  { query }: Db,
  userId: string,
  { messageId, version, steps, budget }: EditPlan,
): Promise<{ version: number }> {
  return query.transaction(async (tx) => {
    const found = await readResearch(tx, { userId, replyId: messageId });
    if (!found) return refuse({ type: 'not_found', what: 'message' });
    const convo = await touchMessages(tx, userId, found.ask.conversationId);
    const reply = await assertMessage(tx, { userId, convoId: convo.id }, messageId);
    const row = await lockWaiting(tx, { userId, replyId: messageId }, version);
    const plan: ResearchPlan = { ...row.plan, steps: steps.map((step) => ({ ...step, state: 'open' })) };
    const next = { plan, budget, version: version + 1 };
    await tx
      .update(researchRuns)
      .set({ ...next, updatedAt: sql`now()` })
      .where(and(eq(researchRuns.userId, userId), eq(researchRuns.replyId, messageId)));
    const parts = reply.parts.map((part) =>
      isLoopCall(part) && part.call.id === PLAN_CALL && part.call.state === 'waiting'
        ? { ...part, call: waitingCall(next) }
        : part,
    );
    await tx
      .update(messages)
      .set({ parts, updatedAt: sql`now()` })
      .where(and(eq(messages.userId, userId), eq(messages.id, messageId)));
    return { version: next.version };
  });
}
