// A generation under the names that the protocol of assistants has for runs.
import type { Query } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import type { AssistantRun, RunStatus } from '@parley/schema/assistants/assistants';
import { and, eq } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';

type Ran = Pick<typeof generations.$inferSelect, 'endedAt' | 'stopRequested' | 'reason'>;
type Reply = Pick<typeof messages.$inferSelect, 'parts' | 'finishReason'>;

/** @throws Refusal `not_found` for another user's as well */
export async function readRun(query: Query, userId: string, generationId: string): Promise<AssistantRun> {
  const [found] = await query
    .select({ run: generations, reply: messages })
    .from(generations)
    .innerJoin(messages, and(eq(messages.userId, generations.userId), eq(messages.id, generations.replyId)))
    .where(and(eq(generations.id, generationId), eq(generations.userId, userId)));
  if (!found) return refuse({ type: 'not_found', what: 'generation' });
  const { id, convoId } = found.run;
  return { id: `run_${id}`, threadId: `thread_${convoId}`, status: runStatusOf(found.run, found.reply) };
}

/** A run that waits for a decision has ended here: the decision begins another one. */
export function runStatusOf({ endedAt, stopRequested, reason }: Ran, { parts, finishReason }: Reply): RunStatus {
  if (endedAt === null) return stopRequested ? 'cancelling' : 'in_progress';
  if (reason?.type === 'answer_too_slow') return 'expired';
  if (reason) return 'failed';
  if (finishReason === 'incomplete') return 'cancelled';
  const waits = parts.some((part) => part.type === 'tool_call' && part.call.state === 'waiting');
  return waits ? 'requires_action' : 'completed';
}
