// The row of a run that begins.
import type { Tx } from '@parley/db/client';
import { earlyStops, type generations } from '@parley/db/tables/generations';
import { and, eq } from 'drizzle-orm';
import type { PgInsertValue } from 'drizzle-orm/pg-core';
import type { Reservation } from '../../billing/reservation.ts';
import { expectedUsage } from '../../billing/usage.ts';
import { isAmong } from '../../convos/rows.ts';
import type { Ask } from './ask.ts';
import { NEW_LEASE } from './beginning-runs.ts';

export interface Begun {
  stopRequested: boolean;
  reserved: Reservation | null;
  /** Groups the runs of a question to several models. */
  groupId?: string | undefined;
}

export function newGeneration(
  { userId, owner, input, endpoint, model, metadata, apiKeyId }: Ask,
  requestId: string,
  { stopRequested, reserved, groupId }: Begun,
): PgInsertValue<typeof generations> {
  return {
    id: input.generationId,
    userId,
    convoId: input.conversationId,
    requestId,
    replyId: input.replyId,
    kind: input.target.kind,
    endpoint: endpoint.name,
    model,
    owner,
    groupId,
    leaseUntil: NEW_LEASE,
    stopRequested,
    reservation: reserved?.isOfBalance ? reserved.credits : null,
    budgeted: reserved?.isOfBudget ? reserved.credits : null,
    apiKeyId,
    // Of a key's limit, until the end writes what it has cost.
    credits: reserved?.ofKey ? reserved.credits : null,
    // If this process dies, recovery has only this to charge by.
    usage: reserved && expectedUsage(metadata.rates, reserved),
  };
}

/** Which of these runs were to be stopped before they were asked for. */
export async function takeEarlyStops(tx: Tx, userId: string, generationIds: readonly string[]): Promise<string[]> {
  const early = await tx
    .delete(earlyStops)
    .where(and(eq(earlyStops.userId, userId), isAmong(earlyStops.generationId, generationIds)))
    .returning({ id: earlyStops.generationId });
  return early.map(({ id }) => id);
}
