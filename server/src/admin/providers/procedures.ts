// The providers of this server, for administrators. A key goes in and never comes out.
import {
  ListPrices,
  OrderProviders,
  RemovePrice,
  SavedRef,
  SaveProvider,
  SetPrice,
  SwitchProvider,
  TryProvider,
} from '@parley/schema/catalog/saved-providers';
import type { ProviderServices } from './change-provider.ts';
import { adminProcedures } from '../admin-procedure.ts';
import { orderProviders, removeProvider, switchProvider } from './change-provider.ts';
import { listProviders } from './list-providers.ts';
import { listPrices, removePrice, setPrice } from './prices.ts';
import { saveProvider, tryProvider } from './save-provider.ts';

const { adminProcedure, sensitiveProcedure, router } = adminProcedures<ProviderServices>();

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

  /** What its models cost here, in place of the list prices. */
  prices: adminProcedure.input(ListPrices).query(({ ctx, input }) => listPrices(ctx.deps, input.name)),

  setPrice: adminProcedure.input(SetPrice).mutation(({ ctx, input }) => setPrice(ctx.deps, ctx.actor, input)),

  removePrice: adminProcedure.input(RemovePrice).mutation(({ ctx, input }) => removePrice(ctx.deps, ctx.actor, input)),
});
