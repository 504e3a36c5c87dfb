import type { Db } from '@parley/db/client';
import {
  ArchiveConvos,
  ConvoPage,
  ConvoRef,
  ConvoRefs,
  ForkConvo,
  RenameConvo,
  UpdateConvo,
} from '@parley/schema/convos';
import { BinPage, DeletionRef } from '@parley/schema/deletions';
import { SearchConvos, SearchNumberedPage } from '@parley/schema/search';
import { tracked } from '@trpc/server';
import * as z from 'zod';
import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import { searchByNumber, searchConvos } from '../search/search.ts';
import { counted } from '../subscriptions.ts';
import { protectedProcedure, router } from '../trpc.ts';
import { followChanges } from './changes.ts';
import { listConvoIds, listConvos, listConvosByNumber, readConvo, renameConvo } from './convos.ts';
import { listDeletions } from './deletions.ts';
import { forkConvo } from './fork.ts';
import { removeConvos } from './remove.ts';
import { restoreDeletion } from './restore.ts';
import { archiveConvos, listPinned, updateConvo } from './update.ts';
import { waitForTitle } from './wait-for-title.ts';

const PageNumber = z.strictObject({ pageNumber: z.int().min(1), pageSize: z.int().min(1).max(100) });
const Changes = z.strictObject({ lastEventId: z.string().max(20).nullish() });

export const convosRouter = router({
  /** A page of the sidebar or of the archive, newest first. */
  list: protectedProcedure.input(ConvoPage).query(({ ctx, input }) => listConvos(ctx.deps.db, ctx.user.id, input)),

  /** The same by page number, for clients that count pages. */
  page: protectedProcedure
    .input(PageNumber)
    .query(({ ctx, input }) => listConvosByNumber(ctx.deps.db, ctx.user.id, input)),

  /** What can be selected to be changed in one go: the newest of the sidebar, as ids. */
  ids: protectedProcedure.query(({ ctx }) => listConvoIds(ctx.deps.db, ctx.user.id)),

  byId: protectedProcedure
    .input(ConvoRef)
    .query(({ ctx, input }) => readConvo(ctx.deps.db, ctx.user.id, input.conversationId)),

  rename: protectedProcedure.input(RenameConvo).mutation(async ({ ctx, input }) => {
    const convo = await renameConvo(ctx.deps.db, ctx.user.id, input.conversationId, input.title, 'user');
    return convo ?? refuse({ type: 'not_found', what: 'convo' });
  }),

  /** Pins, archives, and back. */
  update: protectedProcedure
    .input(UpdateConvo)
    .mutation(({ ctx, input }) => updateConvo(ctx.deps.db, ctx.user.id, input)),

  archiveMany: protectedProcedure
    .input(ArchiveConvos)
    .mutation(({ ctx, input }) => archiveConvos(ctx.deps.db, ctx.user.id, input)),

  /** The pinned ones, newest first. */
  pinned: protectedProcedure.query(({ ctx }) => listPinned(ctx.deps.db, ctx.user.id)),

  /** Begins a conversation with copies of the branch that ends in a message, or of the newest one. */
  fork: protectedProcedure
    .input(ForkConvo)
    .mutation(({ ctx, input }) => ctx.deps.exchanges.settling(() => forkConvo(ctx.deps.db, ctx.user.id, input))),

  /** Deletes one conversation; what runs in it is stopped. */
  remove: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input }) => removeConvos(ctx.deps.db, ctx.user.id, [input.conversationId])),

  removeMany: protectedProcedure
    .input(ConvoRefs)
    .mutation(({ ctx, input }) => removeConvos(ctx.deps.db, ctx.user.id, input.conversationIds)),

  /** Deletes them all. */
  clear: protectedProcedure.mutation(({ ctx }) => removeConvos(ctx.deps.db, ctx.user.id, 'all')),

  /** What was deleted and can be brought back, newest first. */
  bin: protectedProcedure.input(BinPage).query(({ ctx, input }) => listDeletions(ctx.deps.db, ctx.user.id, input)),

  /** Undoes one deletion, of conversations or of messages. */
  restore: protectedProcedure
    .input(DeletionRef)
    .mutation(({ ctx, input }) => restoreDeletion(ctx.deps.db, ctx.user.id, input.deletionId)),

  /** The title that a conversation was just given, once; `not_found` where there is none or it takes too long. */
  title: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input, signal }) => waitForTitle(ctx.deps, ctx.user.id, input.conversationId, signal)),

  /** Titles and messages that have all the words, grouped by conversation, the best first. */
  search: protectedProcedure
    .input(SearchConvos)
    .query(({ ctx, input }) => searchConvos(withSearch(ctx.deps), ctx.user.id, input)),

  /** The same by page number, with whole messages, for clients that count pages. */
  searchPage: protectedProcedure
    .input(SearchNumberedPage)
    .query(({ ctx, input }) => searchByNumber(withSearch(ctx.deps), ctx.user.id, input)),

  /** Whether searching is offered. */
  searchEnabled: protectedProcedure.query(({ ctx }) => ctx.deps.config.search.enabled),

  /** What changes in this user's conversations, from the last change seen. */
  changes: protectedProcedure.input(Changes.optional()).subscription(async function* ({ ctx, input, signal = never }) {
    const after = input?.lastEventId ? Number(input.lastEventId) : null;
    const changes = followChanges(ctx.deps, ctx.user.id, Number.isSafeInteger(after) ? after : null, signal);
    for await (const change of counted(ctx.socket, changes)) yield tracked(String(change.seq), change);
  }),
});

const never = new AbortController().signal;

/** @throws Refusal `invalid_input` where the operator has turned searching off */
function withSearch({ config, db }: Deps): Db {
  return config.search.enabled ? db : refuse({ type: 'invalid_input', text: 'Searching is switched off here.' });
}
