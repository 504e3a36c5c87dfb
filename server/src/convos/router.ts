import {
  ArchiveConvos,
  ArrangePins,
  ConvoPage,
  ConvoRef,
  ConvoRefs,
  MarkRead,
  RenameConvo,
  UpdateConvo,
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
import { arrangePins, markAllRead, markUnread } from './mark-many.ts';
import { leaveTemporary, showTemporary } from './temporary.ts';
import { archiveConvos, listPinned, markRead, updateConvo } from './update.ts';
import { waitForTitle } from './wait-for-title.ts';
import type { PubSub } from '../platform/pubsub.ts';
import type { Timings } from '../config/timings.ts';

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
    const convo = await renameConvo(db.locking, ctx.user.id, conversationId, { title, titledBy: 'user' });
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
