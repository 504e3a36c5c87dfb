import {
  ArchiveConvos,
  ArrangePins,
  ConvoPage,
  ConvoRef,
  ConvoRefs,
  MarkRead,
  RenameConvo,
  UpdateConvo,
  MANY_MAX,
} from '@parley/schema/convos/convos';
import { FOLDERS_MAX } from '@parley/schema/convos/folders';
import { Id } from '@parley/schema/ids';
import * as z from 'zod';
import { refuse } from '../platform/errors.ts';
import { withServices } from '../http/trpc.ts';
import { changeTopic } from './changes.ts';
import { listConvoIds, listConvos, listConvosByNumber, readConvo, renameConvo } from './convos.ts';
import { presentConvo } from './present.ts';
import { removeConvos } from './remove.ts';
import { leaveTemporary, showTemporary } from './temporary.ts';
import { archiveConvos, listPinned, markRead, updateConvo } from './update.ts';
import { waitForTitle } from './wait-for-title.ts';
import type { PubSub } from '../platform/pubsub.ts';
import type { Timings } from '../config/timings.ts';
import { repeatUndone, type Db } from '@parley/db/client';

const { protectedProcedure, router } = withServices<{ pubsub: PubSub; timings: Timings }>();

const FROM_ONE = 'pageNumber must be a whole number from 1 on';
const PageNumber = z.strictObject({
  pageNumber: z.int(FROM_ONE).min(1, FROM_ONE),
  pageSize: z.int().min(1).max(100),
  isArchived: z.boolean().default(false),
  /** Null: in any folder, or in none. */
  folderIds: z.array(Id).max(FOLDERS_MAX).nullable().default(null),
});

export const storedConvosRouter = router({
  /** Lists a page of the sidebar or of the archive, newest first. */
  list: protectedProcedure.input(ConvoPage).query(({ ctx, input }) => listConvos(ctx.deps.db, ctx.user.id, input)),

  /** The same by page number, for clients that count pages. */
  page: protectedProcedure
    .input(PageNumber)
    .query(({ ctx, input }) => listConvosByNumber(ctx.deps.db, ctx.user.id, input)),

  /** Lists the ids available for a bulk action: the newest of the sidebar. */
  ids: protectedProcedure.query(({ ctx }) => listConvoIds(ctx.deps.db, ctx.user.id)),

  byId: protectedProcedure
    .input(ConvoRef)
    .query(({ ctx, input }) => readConvo(ctx.deps.db, ctx.user.id, input.conversationId)),

  rename: protectedProcedure.input(RenameConvo).mutation(async ({ ctx, input }) => {
    const { db } = ctx.deps;
    const { conversationId, title } = input;
    const convo = await repeatUndone(() =>
      renameConvo(db.locking, ctx.user.id, conversationId, { title, titledBy: 'user' }),
    );
    db.tell(changeTopic(ctx.user.id));
    return convo ? presentConvo(convo) : refuse({ type: 'not_found', what: 'convo' });
  }),

  /** Pins, archives or marks as unread, and the reverse. */
  update: protectedProcedure
    .input(UpdateConvo)
    .mutation(({ ctx, input }) => updateConvo(ctx.deps.db, ctx.user.id, input)),

  /** Clears the mark of an unread answer when its user has seen it. */
  markRead: protectedProcedure.input(MarkRead).mutation(({ ctx, input }) => markRead(ctx.deps.db, ctx.user.id, input)),

  /** Marks all as read; returns which, for `markUnread` to undo it. */
  markAllRead: protectedProcedure.mutation(({ ctx }) => markAllRead(ctx.deps.db, ctx.user.id)),

  markUnread: protectedProcedure
    .input(ConvoRefs)
    .mutation(({ ctx, input }) => markUnread(ctx.deps.db, ctx.user.id, input.conversationIds)),

  /** Notes that a page shows a temporary conversation, which it may have left before. */
  show: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input }) => showTemporary(ctx.deps.db, ctx.user.id, input.conversationId)),

  /** Notes that a page has left a temporary conversation, which ends soon then. */
  leave: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input }) => leaveTemporary(ctx.deps.db, ctx.user.id, input.conversationId)),

  archiveMany: protectedProcedure
    .input(ArchiveConvos)
    .mutation(({ ctx, input }) => archiveConvos(ctx.deps.db, ctx.user.id, input)),

  /** The pinned ones in their order: new ones first, then as their user has arranged them. */
  pinned: protectedProcedure.query(({ ctx }) => listPinned(ctx.deps.db, ctx.user.id)),

  arrangePins: protectedProcedure
    .input(ArrangePins)
    .mutation(({ ctx, input }) => arrangePins(ctx.deps.db, ctx.user.id, input.conversationIds)),

  /** Deletes one conversation; what runs in it is stopped. */
  remove: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input }) => removeConvos(ctx.deps.db, ctx.user.id, [input.conversationId])),

  removeMany: protectedProcedure
    .input(ConvoRefs)
    .mutation(({ ctx, input }) => removeConvos(ctx.deps.db, ctx.user.id, input.conversationIds)),

  /** Deletes them all. */
  clear: protectedProcedure.mutation(({ ctx }) => removeConvos(ctx.deps.db, ctx.user.id, 'all')),

  /** Gives the new title of a conversation once; `not_found` when there is none or it takes too long. */
  title: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input, signal }) => waitForTitle(ctx.deps, ctx.user.id, input.conversationId, signal)),
});

// Marks and order of many conversations, each in one statement that takes a change number for every row it writes.

/** Returns what it has marked: `MANY_MAX` ids at most, which is what one undo takes. */
async function markAllRead(db: Db, userId: string): Promise<{ count: number; conversationIds: string[] }> {
  const ids = await setUnread(db, userId, false, null);
  return { count: ids.length, conversationIds: ids.slice(0, MANY_MAX) };
}

/** Marks these as unread, as far as they are there. */
async function markUnread(db: Db, userId: string, ids: readonly string[]): Promise<void> {
  await setUnread(db, userId, true, ids);
}

/** `ids` are null for all; returns those that it has changed. */
async function setUnread(
  { sql, tell }: Db,
  userId: string,
  isUnread: boolean,
  ids: readonly string[] | null,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with numbered as (
      select id, row_number() over (order by change_seq, id) as n from convos
      where user_id = ${userId} and is_unread = ${!isUnread} and deleted_at is null and temporary_until is null
        and (${ids === null} or id = any(${ids ?? []}::uuid[]))
    ), change as (
      update users set change_seq = change_seq + counted.n
      from (select max(n) as n from numbered) as counted
      where users.id = ${userId} and counted.n is not null
      returning users.change_seq - counted.n as before
    )
    update convos set is_unread = ${isUnread}, change_seq = change.before + numbered.n
    from numbered, change
    where convos.user_id = ${userId} and convos.id = numbered.id and convos.is_unread = ${!isUnread}
      and convos.deleted_at is null
    returning convos.id`;
  if (rows.length > 0) tell(changeTopic(userId));
  return rows.map(({ id }) => id);
}

/** Gives pinned conversations their places in the order of `ids`. Those that are not among them stay above. */
async function arrangePins({ sql, tell }: Db, userId: string, ids: readonly string[]): Promise<void> {
  const rows = await sql<{ id: string }[]>`
    with wanted as (
      select id, min(place) as place from unnest(${ids}::uuid[]) with ordinality as given (id, place) group by id
    ), change as (
      update users set change_seq = change_seq + ${ids.length} where id = ${userId}
      returning change_seq - ${ids.length} as before
    )
    update convos set pin_position = wanted.place, change_seq = change.before + wanted.place
    from wanted, change
    where convos.user_id = ${userId} and convos.id = wanted.id and convos.is_pinned and convos.deleted_at is null
      and convos.pin_position is distinct from wanted.place
    returning convos.id`;
  if (rows.length > 0) tell(changeTopic(userId));
}
