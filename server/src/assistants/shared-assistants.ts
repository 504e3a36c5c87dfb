// Assistants that their owners share with everybody of the installation. Others use the instructions, the model, the
// tools and the knowledge, and see its image; they never get files and secrets.
import type { Db, Query } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import { users } from '@parley/db/tables/users';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { and, desc, eq, ne } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { isShared } from '../tools/lending.ts';
import { isOffered, ownedBy } from './assistants.ts';
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
  rules: AssistantRules,
): Promise<AssistantRow> {
  return (await findUsable(query, userId, id, rules)) ?? refuse({ type: 'not_found', what: 'assistant' });
}

export async function findUsable(
  query: Query,
  userId: string,
  id: string,
  rules: AssistantRules,
): Promise<AssistantRow | undefined> {
  const [own] = await query.select().from(assistants).where(ownedBy(userId, id));
  return own ?? findShared(query, id, rules);
}

async function findShared(
  query: Query,
  id: string,
  { allowsSharing }: Pick<AssistantRules, 'allowsSharing'>,
): Promise<AssistantRow | undefined> {
  if (!allowsSharing) return undefined;
  const [shared] = await query
    .select({ row: assistants })
    .from(assistants)
    .innerJoin(users, eq(users.id, assistants.userId))
    .where(and(isShared(), eq(assistants.id, id)))
    .limit(1);
  return shared?.row;
}

function presentShared(row: AssistantRow, owner: string): Assistant {
  const { metadata, tools, ...rest } = presentAssistant(row, []);
  const { conversation_starters: starters, avatar } = metadata;
  const image = avatar && sharedAvatarPath(row, avatar);
  return {
    ...rest,
    instructions: null,
    sources: [],
    tools: withoutActions(tools),
    metadata: { ...(starters && { conversation_starters: starters }), ...(image && { avatar: image }) },
    sharedBy: owner,
  };
}

/** Where others see the avatar: their requests name the assistant, and never its owner. */
function sharedAvatarPath({ userId, id }: AssistantRow, avatar: string): string | null {
  const own = `/images/${userId}/`;
  return avatar.startsWith(own) ? `/images/assistants/${encodeURIComponent(id)}/${avatar.slice(own.length)}` : null;
}
