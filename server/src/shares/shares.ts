// Links to read-only copies of conversations: made, brought up to date, listed and ended by their owners.
import { randomBytes } from 'node:crypto';
import type { Db } from '@parley/db/client';
import type { Reader } from '@parley/db/standby';
import { convos } from '@parley/db/tables/convos';
import { files } from '@parley/db/tables/files';
import { shares } from '@parley/db/tables/shares';
import { users } from '@parley/db/tables/users';
import { isActive } from '@parley/db/user-rows';
import type { CreateShare, SharedSnapshot, ListShares, Share, SharedPage } from '@parley/schema/convos/shares';
import { and, desc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import { presentConvo } from '../convos/present.ts';
import { assertPermanent, isAmong } from '../convos/rows.ts';
import type { FileRow } from '../files/present.ts';
import { listMessages } from '../messages/list.ts';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { messageFileIds, sharedSnapshot, shownLeaves } from './snapshot.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

/** All but the copy, which may be megabytes. */
const LISTED = {
  id: shares.id,
  conversationId: shares.convoId,
  title: sql<string | null>`${shares.thread} ->> 'title'`,
  leafId: shares.leafId,
  columnIds: shares.columnIds,
  showsName: shares.showsName,
  files: sql<number>`coalesce(jsonb_array_length(${shares.thread} -> 'files'), 0)`,
  expiresAt: shares.expiresAt,
  createdAt: shares.createdAt,
  updatedAt: shares.updatedAt,
};
type ShareRow = Omit<Share, 'isWhole'> & Extent;

/** What a link shows, as the columns of its row say it. */
type Extent = Pick<typeof shares.$inferSelect, 'leafId' | 'columnIds'>;

/** Links of one person at a time. */
const SHARES_MAX = 500;
/** Characters of a copy's JSON: what one page can show. */
const THREAD_MAX = 8_000_000;
const ID_BYTES = 16;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Makes a link to the conversation as it is now.
 * @throws Refusal `forbidden` where links are off, `not_found`, `invalid_input` for too many links or too long a text
 */
export async function createShare(deps: CoreServices, userId: string, input: CreateShare): Promise<Share> {
  const { conversationId, leafId, showsName, days } = input;
  const id = randomBytes(ID_BYTES).toString('base64url');
  const copy = await takeSnapshot(deps, userId, { id, conversationId, leafId, columnIds: null });
  const count = await deps.db.query.$count(shares, eq(shares.userId, userId));
  if (count >= SHARES_MAX) refuse({ type: 'invalid_input', text: `You have ${SHARES_MAX} links. End some first.` });
  const [row] = await deps.db.query
    .insert(shares)
    .values({
      id,
      userId,
      convoId: conversationId,
      leafId,
      showsName,
      ...copy,
      ...(days !== null && { expiresAt: sql`now() + make_interval(days => ${days})` }),
    })
    .returning(LISTED);
  return presentShare(row ?? refuse({ type: 'not_found', what: 'share' }));
}

/** Copies the conversation anew; each shared branch goes on to its newest message. @throws as `createShare` does */
export async function updateShare(deps: CoreServices, userId: string, id: string): Promise<Share> {
  const [before] = await deps.db.query.select(LISTED).from(shares).where(isOwn(userId, id));
  if (!before) refuse({ type: 'not_found', what: 'share' });
  const copy = await takeSnapshot(deps, userId, before);
  const [row] = await deps.db.query
    .update(shares)
    .set({ ...copy, updatedAt: sql`now()` })
    .where(isOwn(userId, id))
    .returning(LISTED);
  return presentShare(row ?? refuse({ type: 'not_found', what: 'share' }));
}

/** Newest first; those that have ended by themselves are not among them. */
export async function listShares(
  { db }: CoreServices,
  userId: string,
  { conversationId }: ListShares,
): Promise<Share[]> {
  const ofConvo = conversationId === undefined ? undefined : eq(shares.convoId, conversationId);
  const rows = await db.query
    .select(LISTED)
    .from(shares)
    .where(and(eq(shares.userId, userId), ofConvo, isUnexpired()))
    .orderBy(desc(shares.createdAt));
  return rows.map(presentShare);
}

/** Ends one link, or all of the user (null). */
export async function revokeShares({ db }: CoreServices, userId: string, id: string | null): Promise<void> {
  await db.query.delete(shares).where(id === null ? eq(shares.userId, userId) : isOwn(userId, id));
}

/** What a visitor sees. @throws Refusal `not_found` */
export async function readShare(deps: CoreServices, id: string): Promise<SharedPage> {
  const { thread, showsName, name, updatedAt } = await deps.db.read((reader) => findShare(deps, reader, id));
  const { files: _, ...shown } = thread;
  return { thread: shown, name: showsName ? name : null, updatedAt: isoTime(updatedAt) };
}

/** A link and its files, for the server alone: their owner and their ids are no visitor's business. */
export async function openShare(deps: CoreServices, id: string): Promise<{ thread: SharedSnapshot; ownerId: string }> {
  const { thread, ownerId } = await findShare(deps, deps.db, id);
  return { thread, ownerId };
}

/**
 * A link that was ended, whose conversation was deleted, or whose owner is banned or leaves, is as unknown as one that
 * never was.
 * @throws Refusal `not_found`
 */
async function findShare({ config }: CoreServices, { query }: Reader, id: string) {
  if (!config.accounts.allowSharedLinks) refuse({ type: 'not_found', what: 'share' });
  const [row] = await query
    .select({
      thread: shares.thread,
      showsName: shares.showsName,
      updatedAt: shares.updatedAt,
      name: users.name,
      ownerId: shares.userId,
    })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.userId))
    .innerJoin(convos, isConvoOfShare())
    .where(isReadable(id));
  return row ?? refuse({ type: 'not_found', what: 'share' });
}

/** The file of this number in a link's copy, as long as the link itself can be read. @throws Refusal `not_found` */
export async function findSharedFile({ db, config }: CoreServices, id: string, n: number): Promise<FileRow> {
  if (!config.accounts.allowSharedLinks) refuse({ type: 'not_found', what: 'share' });
  const fileId = sql`(${shares.thread} -> 'files' ->> ${n - 1}::int)::uuid`;
  const [row] = await db.query
    .select({ file: files })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.userId))
    .innerJoin(convos, isConvoOfShare())
    .innerJoin(files, and(eq(files.userId, shares.userId), eq(files.id, fileId)))
    .where(isReadable(id));
  return row?.file ?? refuse({ type: 'not_found', what: 'file' });
}

function isConvoOfShare() {
  return and(eq(convos.userId, shares.userId), eq(convos.id, shares.convoId));
}

function isReadable(id: string) {
  return and(eq(shares.id, id), isUnexpired(), isNull(convos.deletedAt), isActive);
}

/** Removes the copies of links that have ended by themselves, and of conversations that were deleted permanently. */
export async function sweepShares({ db }: { db: Db }): Promise<void> {
  const convo = db.query
    .select({ one: sql`1` })
    .from(convos)
    .where(and(eq(convos.userId, shares.userId), eq(convos.id, shares.convoId)));
  await db.query.delete(shares).where(or(lte(shares.expiresAt, sql`now()`), sql`not exists ${convo}`));
}

async function takeSnapshot(
  deps: CoreServices,
  userId: string,
  { id, conversationId, leafId, columnIds }: Pick<Share, 'id' | 'conversationId'> & Extent,
): Promise<{ thread: SharedSnapshot } & Pick<Extent, 'columnIds'>> {
  if (!deps.config.accounts.allowSharedLinks) refuse({ type: 'forbidden' });
  const convo = presentConvo(await assertPermanent(deps.db.query, userId, conversationId));
  const messages = await listMessages(deps, userId, conversationId);
  const rows = await readFiles(deps, userId, messageFileIds(messages));
  const leaves = leafId === null ? null : shownLeaves(convo, messages, columnIds ?? [leafId]);
  const thread = sharedSnapshot({ shareId: id, userId, convo, messages, files: rows }, leaves);
  if (thread.messages.length === 0) refuse({ type: 'not_found', what: 'message' });
  if (JSON.stringify(thread).length > THREAD_MAX)
    refuse({ type: 'invalid_input', text: 'The conversation is too long to be shared.' });
  return { thread, columnIds: columnIds || (leaves && leaves.length > 1) ? leaves : null };
}

/** The user's own ones among these ids. */
export async function readFiles({ db }: CoreServices, userId: string, ids: readonly string[]): Promise<FileRow[]> {
  const known = [...new Set(ids)].filter((id) => UUID.test(id));
  if (known.length === 0) return [];
  return db.query
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), isAmong(files.id, known)));
}

function isOwn(userId: string, id: string) {
  return and(eq(shares.userId, userId), eq(shares.id, id));
}

function isUnexpired() {
  return or(isNull(shares.expiresAt), gt(shares.expiresAt, sql`now()`));
}

function presentShare({ leafId, columnIds: _columnIds, expiresAt, createdAt, updatedAt, ...row }: ShareRow): Share {
  return {
    ...row,
    isWhole: leafId === null,
    expiresAt: expiresAt && isoTime(expiresAt),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
