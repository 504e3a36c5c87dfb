// Switches, removes and orders the providers that administrators added.
import { providerSettings } from '@parley/db/tables/administration';
import { eq, sql } from 'drizzle-orm';
import { PROVIDERS_TOPIC } from '../../catalog/live/follow-saved.ts';
import { refuse } from '../../platform/errors.ts';
import type { Actor } from '../audit-events.ts';
import { assertVersion, saveChange } from '../saved/change.ts';
import { lockProvider, storedProviders } from './saved-rows.ts';
import type { LiveEndpoints } from '../../catalog/live/live-endpoints.ts';
import type { Encryption } from '../../keys/encryption.ts';
import type { ModelPrices } from '../../catalog/prices/model-prices.ts';
import type { Timings } from '../../config/timings.ts';
import type { CoreServices } from '../../platform/requests/request-services.ts';

export interface ProviderServices extends CoreServices {
  encryption: Encryption;
  endpoints: LiveEndpoints;
  prices: ModelPrices;
  timings: Timings;
}

interface Ref {
  name: string;
  version: number;
}

/** What follows a change of providers. */
export function followedProviders({ db, endpoints: { reload } }: ProviderServices) {
  return { db, topic: PROVIDERS_TOPIC, reload };
}

/** @throws Refusal `conflict` */
export function switchProvider(
  deps: ProviderServices,
  actor: Actor,
  { name, version, isOn }: Ref & { isOn: boolean },
): Promise<null> {
  return saveChange(followedProviders(deps), actor, async (tx) => {
    assertVersion(await lockProvider(tx, name), version);
    await tx
      .update(providerSettings)
      .set({ isOn, version: version + 1, changedBy: actor.id, changedAt: sql`now()` })
      .where(eq(providerSettings.name, name));
    return { event: 'provider.switched', details: { name, isOn } };
  });
}

/** With its key. @throws Refusal `conflict` */
export function removeProvider(deps: ProviderServices, actor: Actor, { name, version }: Ref): Promise<null> {
  return saveChange(followedProviders(deps), actor, async (tx) => {
    assertVersion(await lockProvider(tx, name), version);
    await tx.delete(providerSettings).where(eq(providerSettings.name, name));
    return { event: 'provider.removed', details: { name } };
  });
}

/** `names` are all of them, as the menu shall list them. @throws Refusal `conflict` when there are others by now */
export function orderProviders(deps: ProviderServices, actor: Actor, names: readonly string[]): Promise<null> {
  return saveChange(followedProviders(deps), actor, async (tx) => {
    const rows = await storedProviders(tx);
    const known = new Set(rows.map(({ name }) => name));
    if (names.length !== known.size || new Set(names).size !== known.size || !names.every((name) => known.has(name)))
      refuse({ type: 'conflict', text: 'Another administrator has changed the list meanwhile. Look at it again.' });
    for (const [position, name] of names.entries())
      await tx.update(providerSettings).set({ position }).where(eq(providerSettings.name, name));
    return { event: 'providers.ordered', details: { first: names[0] ?? null } };
  });
}
