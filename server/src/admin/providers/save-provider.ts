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
import { lockProvider, providerKeyOwner, type StoredProvider, storedProviders, decrypted } from './saved-rows.ts';
import { tryEndpoint } from '../../catalog/live/try-endpoint.ts';
import { PROVIDER_KINDS } from '@parley/schema/catalog/provider-kinds';
import { toBaseUrl } from '../../config/addresses.ts';
import { ENDPOINT_WORDS } from '../../config/endpoint-names.ts';
import type { Encryption } from '../../keys/encryption.ts';
import { checkedBaseURL } from '../../platform/egress.ts';

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

/**
 * Calls a provider with values that are not saved.
 * @throws Refusal `invalid_input`, `forbidden_base_url`
 */
export async function tryProvider(
  deps: ProviderServices,
  { model, ...values }: z.output<typeof TryProvider>,
  { userId, signal }: { userId: string; signal?: AbortSignal | undefined },
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

// What an administrator has written into the form, checked as one, with the key that is saved where none is given.
type Values = Omit<z.output<typeof SaveProvider>, 'version'>;

interface CheckDeps {
  encryption: Encryption;
  /** The operator's exemptions. */
  exempt: readonly string[];
}

/**
 * `stored` is what is saved under the name. Its key is used where none is given, and only for the address it was saved
 * for: anyone who may not read a key cannot have it sent elsewhere either.
 * @throws Refusal `invalid_input`, `forbidden_base_url`
 */
function checkedValues(
  values: Values,
  stored: StoredProvider | undefined,
  { encryption, exempt }: CheckDeps,
): SavedProvider {
  const { name, type, models, fetchModels } = values;
  const makesPictures = values.makesPictures && type === 'custom';
  assertName(values);
  const place = placeOf(values, exempt);
  const before = stored && decrypted(stored, encryption);
  const isElsewhere = before?.baseURL !== place.baseURL || before?.azure?.instanceName !== place.azure?.instanceName;
  if (values.apiKey === undefined && before?.apiKey !== undefined && isElsewhere)
    invalid('Enter the key again: the address is another one.');
  const apiKey = values.apiKey ?? before?.apiKey;
  if (apiKey === undefined && needsKey(values)) invalid('This provider needs a key.');
  if (models.length === 0 && (!fetchModels || type === 'azureOpenAI')) invalid('Name at least one model.');
  return { name, type, ...place, models: [...new Set(models)], fetchModels, makesPictures, apiKey };
}

function assertName({ name, type }: Values): void {
  const isWord = [...ENDPOINT_WORDS, 'demo'].some((word) => word.toLowerCase() === name.toLowerCase());
  if (type === 'custom' && isWord) invalid('This name belongs to a built-in provider: choose another one.');
  if (type !== 'custom' && name !== type) invalid('A built-in provider has its own name.');
}

function placeOf(
  { type, baseURL, azure }: Values,
  exempt: readonly string[],
): Pick<SavedProvider, 'baseURL' | 'azure'> {
  switch (type) {
    case 'custom':
      if (baseURL === undefined) invalid('The provider needs an address.');
      return { baseURL: ofOllama(checkedBaseURL(baseURL, exempt)) };
    case 'azureOpenAI':
      return { azure: azure ?? invalid('Azure needs an instance, a deployment and a version.') };
    case 'openAI':
    case 'anthropic':
    case 'google':
      return {};
    default:
      return type satisfies never;
  }
}

/** Ollama's own page names its address without the path of OpenAI's protocol. */
function ofOllama(baseURL: string): string {
  const { port, pathname } = new URL(baseURL);
  return port === '11434' && pathname === '/' ? `${baseURL}/v1` : baseURL;
}

function needsKey({ type, baseURL = '' }: Values): boolean {
  if (type !== 'custom') return true;
  const host = new URL(toBaseUrl(baseURL)).host;
  return PROVIDER_KINDS.some(
    (kind) => kind.needsKey && kind.baseURL !== undefined && new URL(kind.baseURL).host === host,
  );
}

function invalid(text: string): never {
  return refuse({ type: 'invalid_input', text });
}
