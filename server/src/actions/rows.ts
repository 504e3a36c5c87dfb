// The stored actions of users.
import type { Db, Query } from '@parley/db/client';
import { actions, assistants } from '@parley/db/tables/assistants';
import { connections } from '@parley/db/tables/tools';
import { users } from '@parley/db/tables/users';
import type { Action } from '@parley/schema/assistants/actions';
import { and, asc, eq, getTableColumns, inArray, like, ne, sql, type SQL } from 'drizzle-orm';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { isShared } from '../tools/lending.ts';

/** The document is read alone: it may have ten megabytes. */
const { document: _document, ...columns } = getTableColumns(actions);
export const rowColumns = columns;
/** Versions before this one saved it in the settings, and may run beside it. */
const documentText = sql<string>`coalesce(${actions.settings} ->> 'rawSpec', ${actions.document}, '')`;

export type ActionRow = Omit<typeof actions.$inferSelect, 'document'>;

/** Names the tokens of an action in `connections`. */
export function actionService(actionId: string): string {
  return `action:${actionId}`;
}

/** The oldest first; `ids` and `assistantId` narrow the list. */
export function readActions(
  { query }: Db,
  userId: string,
  { ids, assistantId }: { ids?: readonly string[]; assistantId?: string | undefined } = {},
): Promise<ActionRow[]> {
  return query
    .select(rowColumns)
    .from(actions)
    .where(
      and(
        eq(actions.userId, userId),
        ofLivingAssistant(),
        ids && inArray(actions.id, [...ids]),
        assistantId === undefined ? undefined : eq(actions.assistantId, assistantId),
      ),
    )
    .orderBy(asc(actions.createdAt), asc(actions.id));
}

/** Those of a deleted assistant come back with it. */
function ofLivingAssistant(): SQL {
  return sql`exists (select from ${assistants} where ${assistants.userId} = ${actions.userId}
    and ${assistants.id} = ${actions.assistantId} and ${assistants.deletedAt} is null)`;
}

/** @throws Refusal `not_found` */
export async function findAction(db: Db, userId: string, actionId: string): Promise<ActionRow> {
  const [row] = await readActions(db, userId, { ids: [actionId] });
  return row ?? refuse({ type: 'not_found', what: 'action' });
}

/** The OpenAPI document of an action as it was given. @throws Refusal `not_found` */
export async function readDocumentText({ query }: Db, userId: string, actionId: string): Promise<string> {
  const [row] = await query
    .select({ text: documentText })
    .from(actions)
    .where(and(eq(actions.userId, userId), eq(actions.id, actionId), ofLivingAssistant()));
  return row?.text ?? refuse({ type: 'not_found', what: 'action' });
}

/** The bytes of all documents of a user, those in the trash too, but for those of one action. */
export async function documentBytes(query: Query, userId: string, exceptId: string): Promise<number> {
  const [row] = await query
    .select({ bytes: sql`coalesce(sum(octet_length(${documentText})), 0)`.mapWith(Number) })
    .from(actions)
    .where(and(eq(actions.userId, userId), ne(actions.id, exceptId)));
  return row?.bytes ?? 0;
}

/** An action of the user, or one of an assistant that its owner shares. @throws Refusal `not_found` */
export async function findUsableAction(
  db: Db,
  userId: string,
  actionId: string,
  allowsSharing: boolean,
): Promise<ActionRow> {
  const [own] = await readActions(db, userId, { ids: [actionId] });
  if (own || !allowsSharing) return own ?? refuse({ type: 'not_found', what: 'action' });
  const [lent] = await db.query
    .select(rowColumns)
    .from(actions)
    .innerJoin(assistants, and(eq(assistants.userId, actions.userId), eq(assistants.id, actions.assistantId)))
    .innerJoin(users, eq(users.id, actions.userId))
    .where(and(eq(actions.id, actionId), isShared()))
    .limit(1);
  return lent ?? refuse({ type: 'not_found', what: 'action' });
}

/** When a user signed in to an action, or its tokens were last renewed; null without tokens. */
export async function readSignedInAt({ query }: Db, userId: string, actionId: string): Promise<string | null> {
  const [row] = await query
    .select({ at: connections.updatedAt })
    .from(connections)
    .where(and(eq(connections.userId, userId), eq(connections.service, actionService(actionId))));
  return row ? isoTime(row.at) : null;
}

/** The services that a user has tokens of. */
export async function readServices({ query }: Db, userId: string): Promise<Set<string>> {
  const rows = await query
    .select({ service: connections.service })
    .from(connections)
    .where(eq(connections.userId, userId));
  return new Set(rows.map(({ service }) => service));
}

/** An action as its user sees it; an allow-list of fields, so that secrets never leave. */
export function presentAction(row: ActionRow, services: ReadonlySet<string>): Action {
  const { auth, title, privacyPolicyUrl, operations, chosen = null } = row.settings;
  const isPersonal = auth.type === 'oauth' && auth.grant === 'authorization_code';
  return {
    id: row.id,
    assistantId: row.assistantId,
    domain: row.domain,
    title,
    privacyPolicyUrl,
    auth,
    operations,
    chosen,
    hasSecrets: row.encrypted !== null,
    isSignedIn: isPersonal && services.has(actionService(row.id)),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

/** Deletes tokens of actions that are gone, or no longer lent to anyone who signed in. */
export async function sweepConnections({ query }: Db): Promise<void> {
  await query.delete(connections).where(
    and(
      like(connections.service, `${actionService('')}%`),
      sql`not exists (
          select 1 from ${actions} join ${assistants}
            on ${assistants.userId} = ${actions.userId} and ${assistants.id} = ${actions.assistantId}
          where ${actionService('')} || ${actions.id} = ${connections.service}
            and (${actions.userId} = ${connections.userId} or ${assistants.isShared})
        )`,
    ),
  );
}
