// Calls beside a reply: they are counted like replies, by rows of `generations` that have ended when they are written.
import { randomUUID } from 'node:crypto';
import type { Query } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import type { Usage } from '@parley/schema/messages/messages';
import { sql } from 'drizzle-orm';

/** The kinds of calls beside a reply. */
export const SIDE_KINDS = ['title', 'summary', 'picture'] as const;

export interface CountedCall {
  userId: string;
  convoId: string;
  kind: (typeof SIDE_KINDS)[number];
  endpoint: string;
  model: string | null;
  usage: Usage;
  credits: number;
}

export async function countCall(query: Pick<Query, 'insert'>, { convoId, ...call }: CountedCall): Promise<void> {
  const id = randomUUID();
  await query.insert(generations).values({
    ...call,
    id,
    convoId,
    requestId: id,
    replyId: id,
    owner: id,
    leaseUntil: sql`now()`,
    endedAt: sql`now()`,
  });
}
