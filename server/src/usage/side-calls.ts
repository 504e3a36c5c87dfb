// Calls beside a reply: they are counted like replies, by rows of `generations` that have ended when they are written.
import { randomUUID } from 'node:crypto';
import type { Query } from '@parley/db/client';
import type { Usage } from '@parley/schema/catalog/usage';
import { sql, type SQL } from 'drizzle-orm';

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

/** The statement that counts a call, alone or inside of another one. */
export function countedCall({ userId, convoId, kind, endpoint, model, usage, credits }: CountedCall): SQL {
  const id = randomUUID();
  return sql`
    insert into generations (id, user_id, convo_id, kind, endpoint, model, owner, lease_until, ended_at, usage, credits)
    values (${id}, ${userId}, ${convoId}, ${kind}, ${endpoint}, ${model}, ${id}, now(), now(),
      ${JSON.stringify(usage)}::jsonb, ${credits})`;
}

export async function countCall(query: Pick<Query, 'execute'>, call: CountedCall): Promise<void> {
  await query.execute(countedCall(call));
}
