import type { Db } from '@parley/db/client';
import {
  ArchiveConvos,
  ConvoPage,
  ConvoRef,
  ConvoRefs,
  ForkConvo,
  MarkRead,
  RenameConvo,
  UpdateConvo,
} from '@parley/schema/convos/convos';
import { FOLDERS_MAX, MoveToFolder } from '@parley/schema/convos/folders';
import { TrashPage, DeletionRef } from '@parley/schema/convos/deletions';
import { Id } from '@parley/schema/ids';
import { SearchConvos, SearchNumberedPage } from '@parley/schema/search/search';
import { tracked } from '@trpc/server';
import * as z from 'zod';
import type { Deps } from '../deps.ts';
import { refuse } from '../platform/errors.ts';
import { limitCalls } from '../abuse/call-limits.ts';
import { searchByNumber, searchConvos } from '../search/search.ts';
import { limitSubscriptions } from '../http/limit-subscriptions.ts';
import { protectedProcedure, router } from '../http/trpc.ts';
import { followChanges } from '../feed/follow-changes.ts';
import { listConvoIds, listConvos, listConvosByNumber, readConvo, renameConvo } from './convos.ts';
import { listDeletions } from './deletions.ts';
import { moveToFolder } from '../folders/folders.ts';
import { forkConvo } from '../forks/fork.ts';
import { presentConvo } from './present.ts';
import { removeConvos } from './remove.ts';
import { restoreDeletion } from '../trash/restore.ts';
import { keepTemporary } from '../chat/keep-temporary.ts';
import { leaveTemporary, showTemporary } from './temporary.ts';
import { archiveConvos, listPinned, markRead, updateConvo } from './update.ts';
import { waitForTitle } from './wait-for-title.ts';

const FROM_ONE = 'pageNumber must be a whole number from 1 on';
const PageNumber = z.strictObject({
  pageNumber: z.int(FROM_ONE).min(1, FROM_ONE),
  pageSize: z.int().min(1).max(100),
  isArchived: z.boolean().default(false),
  /** Null: in any folder, or in none. */
  folderIds: z.array(Id).max(FOLDERS_MAX).nullable().default(null),
});
const Changes = z.strictObject({ lastEventId: z.string().max(20).nullish() });

export const convosRouter = router({
  /** A page of the sidebar or of the archive, newest first. */
  list: protectedProcedure.input(ConvoPage).query(({ ctx, input }) => listConvos(ctx.deps.db, ctx.user.id, input)),

  /** The same by page number, for clients that count pages. */
  page: protectedProcedure
    .input(PageNumber)
    .query(({ ctx, input }) => listConvosByNumber(ctx.deps.db, ctx.user.id, input)),

  /** The ids available for a bulk action: the newest of the sidebar. */
  ids: protectedProcedure.query(({ ctx }) => listConvoIds(ctx.deps.db, ctx.user.id)),

  byId: protectedProcedure
    .input(ConvoRef)
    .query(({ ctx, input }) => readConvo(ctx.deps.db, ctx.user.id, input.conversationId)),

  rename: protectedProcedure.input(RenameConvo).mutation(async ({ ctx, input }) => {
    const convo = await renameConvo(ctx.deps.db, ctx.user.id, input.conversationId, input.title, 'user');
    return convo ? presentConvo(convo) : refuse({ type: 'not_found', what: 'convo' });
  }),

  /** Pins, archives or marks as unread, and the reverse. */
  update: protectedProcedure
    .input(UpdateConvo)
    .mutation(({ ctx, input }) => updateConvo(ctx.deps.db, ctx.user.id, input)),

  /** Clears the mark of an unread answer when its user has seen it. */
  markRead: protectedProcedure.input(MarkRead).mutation(({ ctx, input }) => markRead(ctx.deps.db, ctx.user.id, input)),

  /** Notes that a page shows a temporary conversation, which it may have left before. */
  show: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input }) => showTemporary(ctx.deps.db, ctx.user.id, input.conversationId)),

  /** Notes that a page has left a temporary conversation, which ends soon then. */
  leave: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input }) => leaveTemporary(ctx.deps.db, ctx.user.id, input.conversationId)),

  /** Makes a temporary conversation one that stays. */
  keep: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input }) => keepTemporary(ctx.deps, ctx.user.id, input.conversationId)),

  archiveMany: protectedProcedure
    .input(ArchiveConvos)
    .mutation(({ ctx, input }) => archiveConvos(ctx.deps.db, ctx.user.id, input)),

  moveToFolder: protectedProcedure
    .input(MoveToFolder)
    .mutation(({ ctx, input }) => moveToFolder(ctx.deps.db, ctx.user.id, input)),

  /** The pinned ones, newest first. */
  pinned: protectedProcedure.query(({ ctx }) => listPinned(ctx.deps.db, ctx.user.id)),

  /** Creates a conversation with copies of the branch that ends in a message, or in the newest one. */
  fork: protectedProcedure.input(ForkConvo).mutation(async ({ ctx, input }) => {
    const { askService, config, db } = ctx.deps;
    await limitCalls(ctx, ctx.user.id, 'fork');
    return askService.retryAfterRecovery(() => forkConvo(db, ctx.user.id, input, config.limits.storedMessages));
  }),

  /** Deletes one conversation; what runs in it is stopped. */
  remove: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input }) => removeConvos(ctx.deps.db, ctx.user.id, [input.conversationId])),

  removeMany: protectedProcedure
    .input(ConvoRefs)
    .mutation(({ ctx, input }) => removeConvos(ctx.deps.db, ctx.user.id, input.conversationIds)),

  /** Deletes them all. */
  clear: protectedProcedure.mutation(({ ctx }) => removeConvos(ctx.deps.db, ctx.user.id, 'all')),

  /** The entries of the trash, newest first. */
  trash: protectedProcedure.input(TrashPage).query(({ ctx, input }) => listDeletions(ctx.deps.db, ctx.user.id, input)),

  /** Undoes one deletion, of conversations or of messages. */
  restore: protectedProcedure
    .input(DeletionRef)
    .mutation(({ ctx, input }) => restoreDeletion(ctx.deps.db, ctx.user.id, input.deletionId)),

  /** The new title of a conversation, returned once; `not_found` when there is none or it takes too long. */
  title: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input, signal }) => waitForTitle(ctx.deps, ctx.user.id, input.conversationId, signal)),

  /** Titles and messages that contain all the words, grouped by conversation, best match first. */
  search: protectedProcedure.input(SearchConvos).query(async ({ ctx, input }) => {
    await limitCalls(ctx, ctx.user.id, 'search');
    return searchConvos(withSearch(ctx.deps), ctx.user.id, input);
  }),

  /** The same by page number, with whole messages, for clients that count pages. */
  searchPage: protectedProcedure.input(SearchNumberedPage).query(async ({ ctx, input }) => {
    await limitCalls(ctx, ctx.user.id, 'search');
    return searchByNumber(withSearch(ctx.deps), ctx.user.id, input);
  }),

  /** Whether search is on. */
  searchEnabled: protectedProcedure.query(({ ctx }) => ctx.deps.config.search.enabled),

  /** Streams the changes of this user's conversations after the last one seen. */
  changes: protectedProcedure.input(Changes.optional()).subscription(async function* ({ ctx, input, signal = never }) {
    const after = input?.lastEventId ? Number(input.lastEventId) : null;
    const changes = followChanges(ctx.deps, ctx.user.id, Number.isSafeInteger(after) ? after : null, signal);
    for await (const change of limitSubscriptions(ctx, changes)) yield tracked(String(change.seq), change);
  }),
});

const never = new AbortController().signal;

/** @throws Refusal `invalid_input` where the operator has turned searching off */
function withSearch({ config, db }: Deps): Db {
  return config.search.enabled ? db : refuse({ type: 'invalid_input', text: 'Searching is switched off here.' });
}
