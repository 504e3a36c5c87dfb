import { AskInput } from '@parley/schema/ask';
import { ConvoRef } from '@parley/schema/convos';
import { Id } from '@parley/schema/ids';
import { tracked } from '@trpc/server';
import * as z from 'zod';
import { END } from '../generation/log.ts';
import { paced } from '../pace.ts';
import { protectedProcedure, router } from '../trpc.ts';
import { listMessages } from './list.ts';

const GenerationRef = z.strictObject({ generationId: Id });
const Attach = z.strictObject({ generationId: Id, lastEventId: z.string().max(20).nullish() });

export const messagesRouter = router({
  /** All messages of a conversation, oldest first. */
  list: protectedProcedure
    .input(ConvoRef)
    .query(({ ctx, input }) => listMessages(ctx.deps, ctx.user.id, input.conversationId)),

  /** Begins an exchange; idempotent by the ids that the client made. Its events come from `attach`. */
  ask: protectedProcedure.input(AskInput).mutation(async ({ ctx, input }) => {
    const { request, reply, convo } = await ctx.deps.exchanges.ask(ctx.user.id, input);
    return { generationId: input.generationId, request, reply, convo };
  }),

  /** What a generation says, from the last event seen to its end. */
  attach: protectedProcedure.input(Attach).subscription(async function* ({ ctx, input, signal = never }) {
    const after = seqOf(input.lastEventId);
    const entries = ctx.deps.exchanges.attach(ctx.user.id, input.generationId, after, signal);
    for await (const { seq, event } of paced(entries, ctx.socket, signal)) yield tracked(String(seq), event);
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
