import type { Tx } from '@parley/db/client';
import { providerSettings } from '@parley/db/tables/administration';
import type { ProviderConfig, SaveProvider, Tried, TryProvider } from '@parley/schema/catalog/saved-providers';
import { eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { exemptHosts } from '../../catalog/live/exempt-hosts.ts';
import { isConfigError } from '../../config/config-error.ts';
import { refuse } from '../../platform/errors.ts';
import type { SavedProvider } from '../../providers/saved/saved-provider.ts';
import type { Actor, AuditEvent } from '../audit-events.ts';
import { assertVersion, refuseTaken, saveChange } from '../saved/change.ts';
import { followedProviders, type ProviderServices } from './change-provider.ts';
import { checkedValues } from './checked-values.ts';
import { lockProvider, providerKeyOwner, type StoredProvider, storedProviders } from './saved-rows.ts';
import { tryEndpoint } from '../../catalog/live/try-endpoint.ts';

/**
 * Saves a provider, whose key is kept where none is given. It is offered when this resolves.
 * @throws Refusal `conflict` when somebody else has changed it meanwhile; `invalid_input`, `forbidden_base_url`
 */
export async function saveProvider(
  deps: ProviderServices,
  actor: Actor,
  input: z.output<typeof SaveProvider>,
): Promise<null> {
  const { encryption, config } = deps;
  return saveChange(followedProviders(deps), actor, async (tx) => {
    const stored = await lockProvider(tx, input.name);
    assertVersion(stored, input.version);
    const values = checkedValues(input, stored, { encryption, exempt: exemptHosts(config) });
    if (!stored) await assertOffered(deps, values);
    return write(tx, deps, actor, { stored, values, isKeyNew: input.apiKey !== undefined });
  });
}

/** @throws Refusal `invalid_input` where the environment or the yaml file wins, or does not go with it */
async function assertOffered({ endpoints }: ProviderServices, values: SavedProvider) {
  const endpoint = await endpoints.preview(values).catch((error: unknown) => {
    if (!isConfigError(error)) throw error;
    return refuse({ type: 'invalid_input', text: error.message });
  });
  return endpoint ?? refuse({ type: 'invalid_input', text: OPERATOR_DECIDES });
}

const OPERATOR_DECIDES = 'The environment or parley.yaml of this server decides about this provider, and wins.';

interface Written {
  stored: StoredProvider | undefined;
  values: SavedProvider;
  isKeyNew: boolean;
}

async function write(tx: Tx, deps: ProviderServices, actor: Actor, written: Written): Promise<AuditEvent> {
  const { stored, values } = written;
  const { name, type, apiKey: _, ...rest } = values;
  const config: ProviderConfig = rest;
  const encrypted = encryptedKey(deps, written);
  const row = { type, config, encrypted, changedBy: actor.id, changedAt: sql`now()` };
  if (stored) {
    const next = { ...row, version: stored.version + 1 };
    await tx.update(providerSettings).set(next).where(eq(providerSettings.name, name));
  } else {
    const position = sql<number>`(select coalesce(max(position), -1) + 1 from provider_settings)`;
    const added = await tx
      .insert(providerSettings)
      .values({ name, ...row, position })
      .onConflictDoNothing()
      .returning({ name: providerSettings.name });
    if (added.length === 0) refuseTaken();
  }
  return {
    event: 'provider.saved',
    details: {
      name,
      type,
      isNew: !stored,
      key: encrypted === null ? 'none' : written.isKeyNew ? 'set' : 'kept',
      ...(config.baseURL !== undefined && { address: config.baseURL }),
    },
  };
}

function encryptedKey({ encryption }: ProviderServices, { stored, values, isKeyNew }: Written): string | null {
  const { name, apiKey } = values;
  if (apiKey === undefined) return null;
  return isKeyNew ? encryption.encrypt(apiKey, providerKeyOwner(name)) : (stored?.encrypted ?? null);
}

interface Caller {
  userId: string;
  signal?: AbortSignal | undefined;
}

/**
 * Calls a provider with values that are not saved.
 * @throws Refusal `invalid_input`, `forbidden_base_url`
 */
export async function tryProvider(
  deps: ProviderServices,
  { model, ...values }: z.output<typeof TryProvider>,
  { userId, signal }: Caller,
): Promise<Tried> {
  const { db, encryption, config, timings } = deps;
  const stored = (await storedProviders(db.query)).find(({ name }) => name === values.name);
  const checked = checkedValues(values, stored, { encryption, exempt: exemptHosts(config) });
  const endpoint = await assertOffered(deps, checked);
  return tryEndpoint(endpoint, {
    userId,
    model,
    secrets: checked.apiKey === undefined ? [] : [checked.apiKey],
    timeoutMs: timings.tryAnswerMs,
    signal,
  });
}
