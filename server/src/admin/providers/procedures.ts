// The providers of this server, for administrators. A key goes in and never comes out.
import {
  OrderProviders,
  SavedRef,
  SaveProvider,
  SwitchProvider,
  TryProvider,
} from '@parley/schema/catalog/saved-providers';
import { router } from '../../http/trpc.ts';
import { adminProcedure, sensitiveProcedure } from '../admin-procedure.ts';
import { orderProviders, removeProvider, switchProvider } from './change-provider.ts';
import { listProviders } from './list-providers.ts';
import { saveProvider, tryProvider } from './save-provider.ts';

export const adminProvidersRouter = router({
  list: adminProcedure.query(({ ctx }) => listProviders(ctx.deps, ctx.actor.id)),

  save: sensitiveProcedure.input(SaveProvider).mutation(({ ctx, input }) => saveProvider(ctx.deps, ctx.actor, input)),

  /** One call for the list of models and one short answer, with values that need not be saved. */
  try: adminProcedure
    .input(TryProvider)
    .mutation(({ ctx, input, signal }) => tryProvider(ctx.deps, input, { userId: ctx.actor.id, signal })),

  setOn: adminProcedure.input(SwitchProvider).mutation(({ ctx, input }) => switchProvider(ctx.deps, ctx.actor, input)),

  remove: adminProcedure.input(SavedRef).mutation(({ ctx, input }) => removeProvider(ctx.deps, ctx.actor, input)),

  order: adminProcedure
    .input(OrderProviders)
    .mutation(({ ctx, input }) => orderProviders(ctx.deps, ctx.actor, input.names)),
});
