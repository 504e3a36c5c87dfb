import { AskInput } from '@parley/schema/chat/ask';
import { BudgetInput } from '@parley/schema/chat/budget';
import { ConvoRef } from '@parley/schema/convos/convos';
import { Id } from '@parley/schema/ids';
import { tracked } from '@trpc/server';
import * as z from 'zod';
import { limitCalls } from '../abuse/call-limits.ts';
import { throttled } from '../http/backpressure.ts';
import { lastEventSeq } from './attach.ts';
import { askManyProcedures, columnsProcedures, compareProcedures } from './compare/procedures.ts';
import { messageProcedures } from '../messages/procedures.ts';
import { limitSubscriptions } from '../http/open-calls.ts';
import { withServices } from '../http/trpc.ts';
import { readBudget } from './context/ask-budget.ts';
import { keepTemporary } from './keep-temporary.ts';
import type { ChatServices } from './chat-services.ts';

const { protectedProcedure, router } = withServices<ChatServices>();

/**
 * Without `keepsRefused` a refused ask is not stored: a browser puts its text back into the composer, and a stored
 * question would be duplicated when it is sent again. `callsUnasked` is for clients that cannot show a question about
 * a call; `keyExpiresAt` is what the client sends of its key.
 */
const Ask = AskInput.extend({
  keepsRefused: z.boolean().optional(),
  callsUnasked: z.boolean().optional(),
  keyExpiresAt: z.string().optional(),
});
/** Counting so many characters costs no more than a statement of the rate limiter. */
const CHEAP_CHARS_MAX = 20_000;
const GenerationRef = z.strictObject({ generationId: Id });
const Attach = z.strictObject({ generationId: Id, lastEventId: z.string().max(20).nullish() });

export const messagesRouter = router({
  ...messageProcedures,
  ...askManyProcedures,

  /** Tells how much of the model's window a question would use, and which messages would be left out. */
  budget: protectedProcedure.input(BudgetInput).query(async ({ ctx, input }) => {
    if (input.text.length > CHEAP_CHARS_MAX) await limitCalls(ctx, ctx.user.id, 'budget');
    return readBudget(ctx.deps, ctx.user.id, input);
  }),

  /** Begins an exchange; idempotent by the client's ids. `attach` streams its events. */
  ask: protectedProcedure
    .input(Ask)
    .mutation(async ({ ctx, input: { keepsRefused, callsUnasked, keyExpiresAt, ...input } }) => {
      const from = { client: ctx.client, program: ctx.program, keepsRefused, callsUnasked, keyExpiresAt };
      const { request, reply, convo } = await ctx.deps.askService.ask(ctx.user.id, input, from);
      return { generationId: input.generationId, request, reply, convo };
    }),

  /** Streams a generation from the last event seen to its end. */
  attach: protectedProcedure.input(Attach).subscription(async function* ({ ctx, input, signal = never }) {
    const after = lastEventSeq(input.lastEventId);
    const entries = ctx.deps.askService.attach(ctx.user.id, input.generationId, after, signal);
    const sent = limitSubscriptions(ctx, throttled(entries, ctx.socket, signal, after));
    for await (const { seq, event } of ctx.deps.openCalls.read(ctx.socket, sent)) yield tracked(String(seq), event);
  }),

  /** Stops a generation and returns its `final` event; null when nothing was running. */
  abort: protectedProcedure
    .input(GenerationRef)
    .mutation(({ ctx, input, signal }) => ctx.deps.askService.stop(ctx.user.id, input.generationId, signal)),
});

export const compareRouter = router(compareProcedures);

/** Stands in `convos`. */
export const keepTemporaryRouter = router({
  ...columnsProcedures,

  /** Makes a temporary conversation one that stays. */
  keep: protectedProcedure
    .input(ConvoRef)
    .mutation(({ ctx, input }) => keepTemporary(ctx.deps, ctx.user.id, input.conversationId)),
});

const never = new AbortController().signal;
