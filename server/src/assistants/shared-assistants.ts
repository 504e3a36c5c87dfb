// Assistants that their owners share with everybody of the installation. Others use the instructions, the model and the
// tools; files, actions, pictures and secrets stay their owner's.
import type { Db, Query } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import { users } from '@parley/db/tables/users';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { and, desc, eq, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { isOffered, mine } from './assistants.ts';
import { withoutActions } from './chosen-tools.ts';
import { presentAssistant, type AssistantRow } from './present.ts';
import type { AssistantRules } from './rules.ts';

/** Of a list; the newest of a very large installation. */
const SHARED_MAX = 500;

/** Those that others share, the newest first; instructions are not sent. */
export async function listShared({ query }: Db, userId: string, rules: AssistantRules): Promise<Assistant[]> {
  if (!rules.allowsSharing) return [];
  const rows = await query
    .select({ row: assistants, owner: users.name })
    .from(assistants)
    .innerJoin(users, eq(users.id, assistants.userId))
    .where(and(isShared(), ne(assistants.userId, userId), isOffered(rules)))
    .orderBy(desc(assistants.createdAt), desc(assistants.id))
    .limit(SHARED_MAX);
  return rows.map(({ row, owner }) => presentShared(row, owner));
}

/** The user's own assistant of this id, or one that another shares. @throws Refusal `not_found` */
export async function assertUsable(
  query: Query,
  userId: string,
  id: string,
  { allowsSharing }: AssistantRules,
): Promise<AssistantRow> {
  const [own] = await query.select().from(assistants).where(mine(userId, id));
  if (own) return own;
  const [shared] = allowsSharing
    ? await query
        .select({ row: assistants })
        .from(assistants)
        .innerJoin(users, eq(users.id, assistants.userId))
        .where(and(isShared(), eq(assistants.id, id)))
        .limit(1)
    : [];
  return shared?.row ?? refuse({ type: 'not_found', what: 'assistant' });
}

/** Of an owner who is neither banned nor leaving. */
function isShared(): SQL | undefined {
  return and(
    assistants.isShared,
    isNull(users.deletionDueAt),
    or(isNull(users.bannedUntil), lte(users.bannedUntil, sql`now()`)),
  );
}

function presentShared(row: AssistantRow, owner: string): Assistant {
  const { metadata, tools, ...rest } = presentAssistant(row, []);
  const { conversation_starters: starters } = metadata;
  return {
    ...rest,
    instructions: null,
    tools: withoutActions(tools),
    metadata: starters ? { conversation_starters: starters } : {},
    sharedBy: owner,
  };
}
