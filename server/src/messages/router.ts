import { AskInput } from '@parley/schema/ask';
import { BudgetInput } from '@parley/schema/budget';
import { ConvoRef } from '@parley/schema/convos';
import { Id } from '@parley/schema/ids';
import { EditMessage, MessageRef, SaveMessage } from '@parley/schema/message-inputs';
import { OpenThread, ReadBodies } from '@parley/schema/thread-inputs';
import { tracked } from '@trpc/server';
import * as z from 'zod';
import { END } from '../generation/log.ts';
import { paced } from '../pace.ts';
import { counted } from '../subscriptions.ts';
import { protectedProcedure, router } from '../trpc.ts';
import { listBodies } from './bodies.ts';
import { readBudget } from './budget.ts';
import { editMessage } from './edit.ts';
import { listMessages } from './list.ts';
import { openThread } from './outline.ts';
import { pruneBranch, removeMessage } from './remove.ts';
import { saveMessage } from './save.ts';

/**
 * Whoever does not say `keepsRefused` keeps what was refused: a browser gives the text back to where it was typed, and a
 * question that were stored as well would be there twice once it is sent again.
 */
const Ask = AskInput.extend({ keepsRefused: z.boolean().optional() });
const GenerationRef = z.strictObject({ generationId: Id });
const Attach = z.strictObject({ generationId: Id, lastEventId: z.string().max(20).nullish() });

export const messagesRouter = router({
  /** All messages of a conversation, oldest first. */
  list: protectedProcedure
    .input(ConvoRef)
    .query(({ ctx, input }) => listMessages(ctx.deps, ctx.user.id, input.conversationId)),

  /** The shape of a conversation, with the messages where it is opened. */
  open: protectedProcedure.input(OpenThread).query(({ ctx, input }) => openThread(ctx.deps.db, ctx.user.id, input)),

  /** Some of its messages, oldest first. */
  bodies: protectedProcedure
    .input(ReadBodies)
    .query(({ ctx, input }) => listBodies(ctx.deps.db, ctx.user.id, input.conversationId, input.messageIds)),

  /** What of its model's window a question would take if it were asked now, and what would not be seen. */
  budget: protectedProcedure.input(BudgetInput).query(({ ctx, input }) => readBudget(ctx.deps, ctx.user.id, input)),

  /** Begins an exchange; idempotent by the ids that the client made. Its events come from `attach`. */
  ask: protectedProcedure.input(Ask).mutation(async ({ ctx, input: { keepsRefused, ...input } }) => {
    const from = { client: ctx.client, keepsRefused };
    const { request, reply, convo } = await ctx.deps.exchanges.ask(ctx.user.id, input, from);
    return { generationId: input.generationId, request, reply, convo };
  }),

  /** Gives a message another text. */
  edit: protectedProcedure.input(EditMessage).mutation(({ ctx, input }) => {
    const { db, exchanges } = ctx.deps;
    return exchanges.settling(() => editMessage(db, ctx.user.id, input));
  }),

  /** Puts a message into a conversation without asking anybody. */
  save: protectedProcedure.input(SaveMessage).mutation(({ ctx, input }) => {
    const { db, exchanges } = ctx.deps;
    return exchanges.settling(() => saveMessage(db, ctx.user.id, input));
  }),

  /** Deletes one message; what hung below it moves up. */
  remove: protectedProcedure.input(MessageRef).mutation(({ ctx, input }) => {
    const { db, exchanges } = ctx.deps;
    return exchanges.settling(() => removeMessage(db, ctx.user.id, input));
  }),

  /** Deletes a message and all below it. */
  prune: protectedProcedure.input(MessageRef).mutation(({ ctx, input }) => {
    const { db, exchanges } = ctx.deps;
    return exchanges.settling(() => pruneBranch(db, ctx.user.id, input));
  }),

  /** What a generation says, from the last event seen to its end. */
  attach: protectedProcedure.input(Attach).subscription(async function* ({ ctx, input, signal = never }) {
    const after = seqOf(input.lastEventId);
    const entries = ctx.deps.exchanges.attach(ctx.user.id, input.generationId, after, signal);
    const told = counted(ctx.socket, paced(entries, ctx.socket, signal));
    for await (const { seq, event } of told) yield tracked(String(seq), event);
  }),

  /** Stops a generation and gives its final event; null when nothing was running. */
  abort: protectedProcedure
    .input(GenerationRef)
    .mutation(({ ctx, input, signal }) => ctx.deps.exchanges.stop(ctx.user.id, input.generationId, signal)),
});

const never = new AbortController().signal;

/** The number of an event id; whatever is none starts from the beginning. */
export function seqOf(lastEventId: string | null | undefined): number {
  const seq = /^\d{1,10}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0;
  return seq <= END ? seq : 0;
}
