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
import { type ProviderServices, orderProviders, removeProvider, switchProvider } from './change-provider.ts';
import { adminProcedures } from '../admin-procedure.ts';
import { listProviders } from './list-providers.ts';
import { saveProvider, tryProvider } from './save-provider.ts';
import type { Tx, Db } from '@parley/db/client';
import { isPriced } from '@parley/schema/catalog/rates';
import { EVERY_MODEL, PRICES_MAX, type Price, type PriceRow, type ProviderPrices } from '@parley/schema/catalog/prices';
import {
  PRICES_TOPIC,
  pricesSetting,
  readPrices,
  storedPrices,
  type ModelPrices,
} from '../../catalog/prices/model-prices.ts';
import { refuse } from '../../platform/errors.ts';
import type { Actor, AuditEvent } from '../audit-events.ts';
import { saveChange, writeSetting } from '../saved/change.ts';
import { storedProviders } from './saved-rows.ts';
import type { LiveEndpoints } from '../../catalog/live/live-endpoints.ts';

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

// The prices that administrators give the models of a provider. Each change is one price, and its event.
type From = { db: Db; endpoints: LiveEndpoints; prices: ModelPrices };

async function listPrices({ db, endpoints, prices }: From, name: string): Promise<ProviderPrices> {
  const { prices: saved, version } = await readPrices(db.query, name);
  const fixed = prices.fixed(name);
  const rows = (of: ReadonlyMap<string, Price>, source: PriceRow['source']) =>
    [...of].map(([model, price]): PriceRow => ({ model, price, source }));
  const all = [...rows(fixed, 'yaml'), ...rows(saved, 'saved').filter(({ model }) => !fixed.has(model))];
  const isLocal = endpoints.list().find((one) => one.name === name)?.isLocal ?? false;
  return { version, isLocal, rows: all.toSorted(byModel) };
}

/**
 * Sets the price of a model, or of all that have none of their own. It holds for the next call.
 * @throws Refusal `conflict` when somebody else has changed the prices meanwhile; `invalid_input` where the yaml file
 * sets it, there is no such provider, or it has too many prices
 */
function setPrice(deps: From, actor: Actor, { name, model, price, version }: SetPrice): Promise<null> {
  return change(deps, actor, { name, model, version }, async (tx) => {
    await assertPriced(deps, tx, name);
    const { prices } = await readPrices(tx, name);
    const before = prices.get(model);
    const next = new Map([...prices, [model, price]]);
    if (next.size > PRICES_MAX) invalid(`A provider has ${PRICES_MAX} prices at most.`);
    await writeSetting(tx, actor, { name: pricesSetting(name), value: storedPrices(next), version });
    const { input, cachedRead = null, cachedWrite = null, output, pictures } = price;
    const was = before && { inputBefore: before.input, outputBefore: before.output };
    const each = pictures && { pictures: [...pictures.draft, ...pictures.fine].join(', ') };
    const details = { name, model, input, cachedRead, cachedWrite, output, ...each, ...was };
    return { event: 'provider.price_set', details };
  });
}

/** @throws Refusal `conflict`, `invalid_input` where the yaml file sets it */
function removePrice(deps: From, actor: Actor, ref: RemovePrice): Promise<null> {
  return change(deps, actor, ref, async (tx) => {
    const { name, model, version } = ref;
    const { prices } = await readPrices(tx, name);
    const next = new Map([...prices].filter(([other]) => other !== model));
    if (next.size === prices.size) refuse({ type: 'conflict', text: 'Another administrator has removed this price.' });
    await writeSetting(tx, actor, { name: pricesSetting(name), value: storedPrices(next), version });
    return { event: 'provider.price_removed', details: { name, model } };
  });
}

function change(
  { db, prices }: From,
  actor: Actor,
  { name, model }: RemovePrice,
  work: (tx: Tx) => Promise<AuditEvent>,
): Promise<null> {
  if (prices.fixed(name).has(model)) invalid('The configuration file of this server sets this price, and wins.');
  return saveChange({ db, topic: PRICES_TOPIC, reload: prices.reload }, actor, work);
}

/** @throws Refusal `invalid_input` for what is no provider, or one whose answers have no price */
async function assertPriced({ endpoints }: Pick<From, 'endpoints'>, tx: Tx, name: string): Promise<void> {
  const offered = endpoints.list().find((one) => one.name === name);
  const isSaved = async () => (await storedProviders(tx)).some((row) => row.name === name);
  if (!offered && !(await isSaved())) invalid('There is no such provider.');
  if (offered?.type === 'gptPlugins') invalid('The prices of its provider hold for plugins.');
  if (offered && !isPriced(offered.type)) invalid('Nothing counts the tokens of this provider: a price has no effect.');
}

function byModel(a: PriceRow, b: PriceRow): number {
  if (a.model === EVERY_MODEL || b.model === EVERY_MODEL)
    return a.model === b.model ? 0 : a.model === EVERY_MODEL ? -1 : 1;
  return a.model < b.model ? -1 : 1;
}

function invalid(text: string): never {
  return refuse({ type: 'invalid_input', text });
}
