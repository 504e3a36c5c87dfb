import { ConvoPage, ConvoRef, RenameConvo } from '@parley/schema/convos';
import { tracked } from '@trpc/server';
import * as z from 'zod';
import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import { protectedProcedure, router } from '../trpc.ts';
import { followChanges } from './changes.ts';
import { listConvos, listConvosByNumber, readConvo, removeConvos, renameConvo } from './convos.ts';
import { waitForTitle } from './wait-for-title.ts';

const PageNumber = z.strictObject({ pageNumber: z.int().min(1), pageSize: z.int().min(1).max(100) });
const Changes = z.strictObject({ lastEventId: z.string().max(20).nullish() });

export const convosRouter = router({
  /** A page of the sidebar, newest first. */
  list: protectedProcedure.input(ConvoPage).query(({ ctx, input }) => listConvos(ctx.deps.db, ctx.user.id, input)),

  /** The same by page number, for clients that count pages. */
  page: protectedProcedure
    .input(PageNumber)
    .query(({ ctx, input }) => listConvosByNumber(ctx.deps.db, ctx.user.id, input)),

  byId: protectedProcedure
    .input(ConvoRef)
    .query(({ ctx, input }) => readConvo(ctx.deps.db, ctx.user.id, input.conversationId)),

  rename: protectedProcedure.input(RenameConvo).mutation(async ({ ctx, input }) => {
    const convo = await renameConvo(ctx.deps.db, ctx.user.id, input.conversationId, input.title, 'user');
    return convo ?? refuse({ type: 'not_found', what: 'convo' });
  }),

  /** Deletes one conversation; what runs in it is stopped. */
  remove: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input }) => remove(ctx.deps, ctx.user.id, input.conversationId)),

  /** Deletes them all. */
  clear: protectedProcedure.mutation(({ ctx }) => remove(ctx.deps, ctx.user.id, null)),

  /** The title of a conversation, as soon as it has one; refuses with `not_found` when it takes too long. */
  title: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input, signal }) => waitForTitle(ctx.deps, ctx.user.id, input.conversationId, signal)),

  /** Whether conversations can be searched. */
  searchEnabled: protectedProcedure.query(() => false),

  /** What changes in this user's conversations, from the last change seen. */
  changes: protectedProcedure.input(Changes.optional()).subscription(async function* ({ ctx, input, signal = never }) {
    const after = input?.lastEventId ? Number(input.lastEventId) : null;
    for await (const change of followChanges(ctx.deps, ctx.user.id, Number.isSafeInteger(after) ? after : null, signal))
      yield tracked(String(change.seq), change);
  }),
});

const never = new AbortController().signal;

async function remove({ db, exchanges }: Deps, userId: string, id: string | null) {
  const removed = await removeConvos(db, userId, id);
  await Promise.all(removed.running.map((generationId) => exchanges.stop(userId, generationId)));
  return { deletedCount: removed.convos, deletedMessages: removed.messages };
}
