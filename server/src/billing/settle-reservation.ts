// Charges a reply that has ended, however it ended, in the transaction that saves it.
import type { Tx } from '@parley/db/client';
import type { Usage } from '@parley/schema/catalog/usage';
import type { Message } from '@parley/schema/messages/messages';
import { pay } from './balances.ts';
import { runItems } from './run-cost.ts';

/** Describes a generation that has just ended. */
export interface Ended {
  id: string;
  convoId: string | null;
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
  const items = runItems({ ...ended, endpointType: reply.endpointType }, reply, used);
  const bill = {
    userId,
    convoId,
    generationId,
    model,
    context: reply.finishReason === 'incomplete' ? ('incomplete' as const) : ('message' as const),
    isEstimated: items.length > 0 && used.estimated === true,
    items,
  };
  await pay(tx, bill, reservation);
}
