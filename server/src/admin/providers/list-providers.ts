// What the page of providers shows: what the environment and the yaml file set, what is saved, and how it does. No key.
import type { ProviderRow, Unused } from '@parley/schema/catalog/saved-providers';
import { ProviderConfig } from '@parley/schema/catalog/saved-providers';
import { asFields } from '@parley/schema/json';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { reasonOfList } from '../../catalog/live/try-endpoint.ts';
import { isoTime } from '../../platform/iso-time.ts';
import { LEFT_OUT, type ConfiguredEndpoint, type ConfiguredProvider } from '../../providers/define-provider.ts';
import { readChangers } from '../saved/change.ts';
import { monthByEndpoint } from '../usage/server-usage.ts';
import { decrypted, isSavedType, storedProviders, type StoredProvider } from './saved-rows.ts';
import type { ProviderServices } from './change-provider.ts';

type MonthFacts = 'month' | 'isMonthEstimate';

/** In the order of the menu; then what is saved and not offered. */
export async function listProviders(deps: ProviderServices, userId: string): Promise<ProviderRow[]> {
  const { db, endpoints } = deps;
  const stored = await storedProviders(db.query);
  const [names, months] = await Promise.all([readChangers(db, stored), monthByEndpoint(db)]);
  const find = (name: string) => stored.find((row) => row.name === name);
  const shown = endpoints.list().flatMap((endpoint) => {
    const source = sourceOf(deps, endpoint);
    return source ? [{ endpoint, source }] : [];
  });
  const offered = await Promise.all(
    shown.map(async ({ endpoint, source }) => ({
      ...(await offeredRow(endpoint, userId)),
      source,
      saved: source === 'saved' ? savedFacts(find(endpoint.name), names) : null,
    })),
  );
  const used = new Set(offered.filter(({ source }) => source === 'saved').map(({ name }) => name));
  const rest = stored.filter(({ name, type }) => !used.has(name) && isSavedType(type));
  return [...offered, ...rest.map((row) => restRow(deps, row, names))].map((row) => ({
    ...row,
    month: months.get(row.name)?.credits ?? 0,
    isMonthEstimate: (months.get(row.name)?.unpriced ?? 0) > 0,
  }));
}

async function offeredRow(
  endpoint: Endpoint,
  userId: string,
): Promise<Omit<ProviderRow, 'source' | 'saved' | MonthFacts>> {
  const { name, type } = endpoint;
  const models = await endpoint.models(userId);
  const failure = endpoint.failure();
  const isOfUsers = endpoint.config.userProvide === true || endpoint.config.userProvideURL === true;
  return {
    name,
    type,
    state: isOfUsers ? 'users_keys' : failure ? 'failed' : 'on',
    failure: failure && { reason: reasonOfList(failure.error, name), since: failure.since.toISOString() },
    unused: null,
    hasKey: !isOfUsers,
    leftOut: endpoint.leftOut?.() ?? [],
    models: { count: models.length, first: models[0] ?? null },
  };
}

/** Null for what is no provider: assistants, what is there because of another one, and the demo. */
function sourceOf({ endpoints }: ProviderServices, { name }: Endpoint): ProviderRow['source'] | null {
  for (const provider of endpoints.providers()) {
    const configured = provider.endpoints.find((one) => one.name === name);
    if (configured) return sourceOfConfigured(provider, configured);
  }
  return name === 'Ollama' ? 'found' : null;
}

function sourceOfConfigured(provider: ConfiguredProvider, { isSaved, isAnsweredByOthers, entry }: ConfiguredEndpoint) {
  const { type, isCustom } = provider;
  if (isAnsweredByOthers || type === 'gptPlugins' || type === 'assistants') return null;
  if (isSaved) return 'saved';
  const isOfGroups = 'places' in entry && asFields(entry.places).from === 'groups';
  return isCustom || isOfGroups ? 'yaml' : 'environment';
}

function restRow(
  deps: ProviderServices,
  row: StoredProvider,
  names: ReadonlyMap<string, string>,
): Omit<ProviderRow, MonthFacts> {
  const { name, type, isOn, encrypted } = row;
  return {
    name,
    type: isSavedType(type) ? type : 'custom',
    source: 'saved',
    state: isOn ? 'unused' : 'off',
    failure: null,
    unused: isOn ? unusedBecause(deps, row) : null,
    hasKey: encrypted !== null,
    leftOut: [],
    models: { count: 0, first: null },
    saved: savedFacts(row, names),
  };
}

function unusedBecause({ endpoints, encryption }: ProviderServices, row: StoredProvider): Unused {
  if (!decrypted(row, encryption)) return 'key';
  const configured = endpoints.providers().flatMap((one) => one.endpoints);
  const same = configured.find(({ name }) => name.toLowerCase() === row.name.toLowerCase());
  if (same) return same.isSaved ? 'left_out' : 'operator';
  const isExcluded = endpoints
    .providers()
    .some(({ type, disabledReason }) => type === row.type && disabledReason === LEFT_OUT);
  return isExcluded ? 'left_out' : 'settings';
}

function savedFacts(row: StoredProvider | undefined, names: ReadonlyMap<string, string>): ProviderRow['saved'] {
  if (!row || !isSavedType(row.type)) return null;
  const { data: config = { models: [], fetchModels: true, makesPictures: false } } = ProviderConfig.safeParse(
    row.config,
  );
  const { version, isOn, changedBy, changedAt } = row;
  return {
    ...config,
    type: row.type,
    version,
    isOn,
    changedBy: names.get(changedBy ?? '') ?? null,
    changedAt: isoTime(changedAt),
  };
}
