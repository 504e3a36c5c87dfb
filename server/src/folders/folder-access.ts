// Tests of this room: tests/integration/folders.

// Who may use a folder: its owner gives and takes access, others add what is shared with them to their own folders.
import type { Db, Query, Tx } from '@parley/db/client';
import { groupMembers, groups } from '@parley/db/tables/administration';
import { folders } from '@parley/db/tables/folders';
import { access } from '@parley/db/tables/sharing/access';
import { users } from '@parley/db/tables/users';
import { isActive } from '@parley/db/user-rows';
import type { AddShared, SetAccess } from '@parley/schema/convos/access';
import {
  ACCESS_MAX,
  type Access,
  type AccessLevel,
  type FolderAccess,
  type SharedFolder,
} from '@parley/schema/convos/access-rules';
import { FOLDERS_MAX, type Folder } from '@parley/schema/convos/folders';
import { and, asc, eq, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { nextHint, nextHints } from '../convos/changes.ts';
import { audit } from '../platform/audit.ts';
import { refuse } from '../platform/errors.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';
import { assertFolder, removeFolder } from './folders.ts';
import { listAudience, accessLevel, isPublicAllowed } from './source-folder.ts';

/** Of a list; the newest of a very large installation. */
const SHARED_MAX = 500;
const NOT_PUBLIC = { type: 'invalid_input', text: 'No project is shared with everybody here.' } as const;
const NOBODY = 'There is no account with this e-mail address or user name.';

/** What others share with this person and they have not added, the newest first. Instructions are not sent. */
export async function listShared({ query }: Db, userId: string): Promise<SharedFolder[]> {
  const level = accessLevel(folders.userId, folders.id, sql`${userId}::uuid`);
  const isMeant = or(
    eq(access.to, 'everyone'),
    eq(access.personId, userId),
    sql`${access.groupId} in (select group_id from group_members where user_id = ${userId}::uuid)`,
  );
  const given = query
    .selectDistinct({ ownerId: access.userId, ref: access.ref })
    .from(access)
    .where(and(eq(access.kind, 'folder'), ne(access.userId, userId), isMeant))
    .as('given');
  const isAdded = sql`exists (
    select from folders own
    where own.user_id = ${userId}::uuid and own.source_owner_id = ${folders.userId} and own.source_id = ${folders.id})`;
  return query
    .select({
      ownerId: folders.userId,
      folderId: folders.id,
      name: folders.name,
      owner: users.name,
      level: sql<SharedFolder['level']>`${level}`,
    })
    .from(given)
    .innerJoin(folders, and(eq(folders.userId, given.ownerId), sql`${folders.id}::text = ${given.ref}`))
    .innerJoin(users, eq(users.id, folders.userId))
    .where(and(isActive, isNull(folders.sourceId), sql`${level} is not null`, sql`not ${isAdded}`))
    .orderBy(sql`${folders.createdAt} desc`, asc(folders.id))
    .limit(SHARED_MAX);
}

/**
 * Links a folder that another person shares into the own folders. One that is linked already is that one.
 * @throws Refusal `not_found` where it is not shared with this person; `invalid_input` when they have too many folders
 */
export async function addShared({ query }: Db, userId: string, { id, ownerId, folderId }: AddShared): Promise<Folder> {
  const isIt = and(
    eq(folders.userId, ownerId),
    eq(folders.id, folderId),
    isNull(folders.sourceId),
    ne(folders.userId, userId),
  );
  return query.transaction(async (tx) => {
    await nextHint(tx, userId, 'folders');
    const level = accessLevel(folders.userId, folders.id, sql`${userId}::uuid`);
    const [shared] = await tx
      .select()
      .from(folders)
      .where(and(isIt, sql`${level} is not null`));
    if (!shared) return refuse({ type: 'not_found', what: 'folder' });
    const linked = and(eq(folders.userId, userId), eq(folders.sourceOwnerId, ownerId), eq(folders.sourceId, folderId));
    const findLink = () => tx.select({ id: folders.id }).from(folders).where(linked).limit(1);
    // The lock on the user's row lets nobody else link it meanwhile.
    if ((await findLink()).length === 0) await addLink(tx, { userId, id, shared });
    const [link] = await findLink();
    return link ? assertFolder(tx, userId, link.id) : refuse({ type: 'not_found', what: 'folder' });
  });
}

interface NewLink {
  userId: string;
  id: string;
  shared: typeof folders.$inferSelect;
}

/** Nothing happens where the id is taken. @throws Refusal `invalid_input` when there are too many folders */
async function addLink(tx: Tx, { userId, id, shared }: NewLink): Promise<void> {
  const { name, color, userId: sourceOwnerId, id: sourceId } = shared;
  await tx.insert(folders).values({ userId, id, name, color, sourceOwnerId, sourceId }).onConflictDoNothing();
  if ((await tx.$count(folders, eq(folders.userId, userId))) > FOLDERS_MAX)
    refuse({ type: 'invalid_input', text: `At most ${FOLDERS_MAX} folders can be kept` });
}

/** Whom the owner of a folder shares it with, and the groups that they could. @throws Refusal `not_found` */
export async function readAccess({ query }: Pick<Db, 'query'>, userId: string, id: string): Promise<FolderAccess> {
  await assertOwn(query, userId, id);
  const rows = await query
    .select({ given: access, group: groups.name, person: users.name })
    .from(access)
    .leftJoin(groups, eq(groups.id, access.groupId))
    .leftJoin(users, eq(users.id, access.personId))
    .where(and(ofFolder(userId, id), or(ne(access.to, 'everyone'), isPublicAllowed)))
    .orderBy(asc(access.to), asc(sql`lower(coalesce(${groups.name}, ${users.name}))`), asc(access.createdAt));
  const offered = await query
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(isGroupOf(userId))
    .orderBy(asc(sql`lower(${groups.name})`));
  return {
    given: rows.flatMap(({ given, group, person }) => presentAccess(given, group ?? person ?? '')),
    groups: offered,
  };
}

/**
 * Gives access to a folder, changes or takes it, with a line of the audit log where anything changes. Each answer reads
 * the rule anew, so what is taken is gone at once.
 * @throws Refusal `not_found` where it is not the person's own folder; `invalid_input` without such an account or group,
 * and for everybody where the operator forbids it
 */
export async function setAccess(
  deps: Pick<CoreServices, 'config' | 'db' | 'log'>,
  userId: string,
  { id, to, level }: SetAccess,
): Promise<FolderAccess> {
  if (to.to === 'everyone' && level !== null && !deps.config.accounts.publicSharedProjects) refuse(NOT_PUBLIC);
  const { changed, all } = await deps.db.query.transaction(async (tx) => {
    const place = { ownerId: userId, folderId: id, level: null };
    const meant = await findMeant(tx, userId, to, level !== null);
    await nextHints(tx, [...(await listAudience(tx, place)), ...(meant.personId ? [meant.personId] : [])], 'folders');
    await assertOwn(tx, userId, id);
    const isIt = sql`coalesce(${access.groupId}, ${access.personId}, ${access.userId}) = ${meant.groupId ?? meant.personId ?? userId}::uuid`;
    const [before] = await tx
      .delete(access)
      .where(and(ofFolder(userId, id), eq(access.to, meant.to), isIt))
      .returning({ level: access.level });
    if (level !== null) {
      await tx.insert(access).values({ userId, kind: 'folder', ref: id, ...meant, level });
      if ((await tx.$count(access, ofFolder(userId, id))) > ACCESS_MAX)
        refuse({ type: 'invalid_input', text: `A project can be shared with at most ${ACCESS_MAX} people and groups` });
    }
    const hasChanged = (before?.level ?? null) !== level;
    return { changed: hasChanged ? meant : null, all: await readAccess({ query: tx }, userId, id) };
  });
  if (changed) noteAccess(deps, userId, { id, given: changed, level });
  return all;
}

function noteAccess(
  deps: Pick<CoreServices, 'log'>,
  userId: string,
  { id, given, level }: { id: string; given: Meant; level: AccessLevel | null },
): void {
  const sharedWithId = given.groupId ?? given.personId;
  audit(deps, level === null ? 'project_unshared' : 'project_shared', {
    userId,
    project: id,
    sharedWith: given.to,
    ...(sharedWithId && { sharedWithId }),
    ...(level !== null && { level }),
  });
}

/** Deletes a folder of this person as `removeFolder` does, and says in the audit log with whom it was shared. */
export async function removeShared(
  deps: Pick<CoreServices, 'db' | 'log'>,
  userId: string,
  { id }: { id: string },
): Promise<void> {
  for (const given of await removeFolder(deps.db, userId, id)) noteAccess(deps, userId, { id, given, level: null });
}

type Meant = Pick<typeof access.$inferInsert, 'to' | 'groupId' | 'personId'>;

/** People are named by what the owner knows of them, never found by a part of it. */
async function findMeant(tx: Tx, userId: string, to: SetAccess['to'], isGiven: boolean): Promise<Meant> {
  switch (to.to) {
    case 'everyone':
      return { to: 'everyone' };
    case 'group': {
      const { groupId } = to;
      const isOffered = and(eq(groups.id, groupId), isGiven ? isGroupOf(userId) : undefined);
      if (isGiven && (await tx.$count(groups, isOffered)) === 0)
        refuse({ type: 'invalid_input', text: 'You can share it with groups that you are in.' });
      return { to: 'group', groupId };
    }
    case 'user':
      return { to: 'user', personId: to.userId };
    case 'login':
      return { to: 'user', personId: await findPerson(tx, userId, to.login) };
    default:
      return to satisfies never;
  }
}

/** An address is one person's; a user name may be that of several. */
async function findPerson(tx: Tx, userId: string, login: string): Promise<string> {
  const isNamed = (column: typeof users.email | typeof users.username) =>
    eq(sql`lower(${column})`, login.toLowerCase());
  const byAddress = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isNamed(users.email), isActive));
  const found =
    byAddress.length > 0
      ? byAddress
      : await tx
          .select({ id: users.id })
          .from(users)
          .where(and(isNamed(users.username), isActive))
          .limit(2);
  const [person] = found;
  if (found.length > 1)
    return refuse({ type: 'invalid_input', text: 'Several accounts have this user name. Use the e-mail address.' });
  if (!person) return refuse({ type: 'invalid_input', text: NOBODY });
  if (person.id === userId) return refuse({ type: 'invalid_input', text: 'It is your own project.' });
  return person.id;
}

/** Of a query of groups: those that a person is in; administrators may name all. */
function isGroupOf(userId: string): SQL {
  return sql`(exists (select from ${groupMembers}
      where ${groupMembers.groupId} = ${groups.id} and ${groupMembers.userId} = ${userId}::uuid)
    or exists (select from ${users} where ${users.id} = ${userId}::uuid and ${users.role} = 'ADMIN'))`;
}

/** A link is not its person's to share. @throws Refusal `not_found` */
async function assertOwn(query: Query, userId: string, id: string): Promise<void> {
  const isOwn = and(eq(folders.userId, userId), eq(folders.id, id), isNull(folders.sourceId));
  if ((await query.$count(folders, isOwn)) === 0) refuse({ type: 'not_found', what: 'folder' });
}

function ofFolder(userId: string, id: string): SQL | undefined {
  return and(eq(access.userId, userId), eq(access.kind, 'folder'), eq(access.ref, id));
}

function presentAccess({ to, groupId, personId, level }: typeof access.$inferSelect, name: string): Access[] {
  if (to === 'everyone') return [{ to, level }];
  if (groupId !== null) return [{ to: 'group', groupId, name, level }];
  return personId === null ? [] : [{ to: 'user', userId: personId, name, level }];
}
