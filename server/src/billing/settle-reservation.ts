// Charges a reply that has ended, however it ended, in the transaction that saves it.
import type { Tx } from '@parley/db/client';
import { isFailure, type Message, type Usage } from '@parley/schema/messages/messages';
import { ratesOfModel } from '@parley/schema/catalog/rates';
import { pay } from './balances.ts';
import { billItems } from './bill-items.ts';

/** A generation that has just ended. */
export interface Ended {
  id: string;
  convoId: string;
  /** The run's model: a reply continued with another model still names its first one. */
  model: string | null;
  /** Null when nothing is charged for it. */
  reservation: number | null;
  /**
   * The estimated prompt usage when the run began, with the reported rates if any. Billing uses these, whichever
   * process ends the run.
   */
  expected: Usage | null;
}

/** Charges a reply for the usage of its run (`used`). */
export async function settleReservation(
  tx: Tx,
  userId: string,
  ended: Ended,
  reply: Message,
  used: Usage,
): Promise<void> {
  const { id: generationId, convoId, model, reservation } = ended;
  if (reservation === null) return;
  const isIncomplete = reply.finishReason === 'incomplete';
  const spent = spentOn(reply, used, ended.expected);
  const bill = {
    userId,
    convoId,
    generationId,
    model,
    context: isIncomplete ? ('incomplete' as const) : ('message' as const),
    isEstimated: spent?.estimated === true,
    items: spent ? billItems(spent, ratesOfModel(model, ended.expected?.rates), isIncomplete) : [],
  };
  await pay(tx, bill, reservation);
}

/** Null for what costs nothing: a failure without any output, and a reply stopped before the provider was called. */
function spentOn(reply: Message, used: Usage, expected: Usage | null): Usage | null {
  if (!used.estimated) return used;
  const { input, output } = used;
  const saidNothing = output === 0 && (reply.reason !== null || reply.context === null);
  const hasReasoning = reply.parts.some(({ type }) => type !== 'text');
  if ((isFailure(reply) && !hasReasoning) || saidNothing) return null;
  return { input: input || (expected?.input ?? 0), output, estimated: true };
}
