import { AskManyInput } from '@parley/schema/chat/ask-many';
import { GoOnWith, SetColumns } from '@parley/schema/chat/columns-inputs';
import { withServices } from '../../http/trpc.ts';
import { goOnWith, listCompared, setColumns } from './choose-column.ts';
import type { ChatServices } from '../chat-services.ts';

const { protectedProcedure } = withServices<ChatServices>();

/** Stand in `messages`. */
export const askManyProcedures = {
  /** Asks several models at once; idempotent by the client's ids. `attach` streams the events of each. */
  askMany: protectedProcedure.input(AskManyInput).mutation(async ({ ctx, input }) => {
    const created = await ctx.deps.askService.askMany(ctx.user.id, input, { client: ctx.client });
    return created.map(({ request, reply, convo }, place) => ({
      generationId: input.asks[place]?.generationId ?? '',
      request,
      reply,
      convo,
    }));
  }),
};

/** Are `compare`. */
export const compareProcedures = {
  /** Counts how often the person continued with which model's answer. */
  mine: protectedProcedure.query(({ ctx }) => listCompared(ctx.deps.db.query, ctx.user.id)),

  goOn: protectedProcedure.input(GoOnWith).mutation(({ ctx, input }) => goOnWith(ctx.deps.db, ctx.user.id, input)),
};

/** Stand in `convos`. */
export const columnsProcedures = {
  setColumns: protectedProcedure
    .input(SetColumns)
    .mutation(({ ctx, input }) => setColumns(ctx.deps.db, ctx.user.id, input)),
};
