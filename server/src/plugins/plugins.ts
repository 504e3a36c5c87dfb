// A person's plugins: which there are, which are installed, which values are saved.
import { users } from '@parley/db/tables/users';
import type {
  InstallPlugin,
  Plugin,
  PluginField as PresentedField,
  UninstallPlugin,
} from '@parley/schema/tools/plugins';
import { eq, sql } from 'drizzle-orm';
import type { PluginsConfig } from '../config/parts/plugins.ts';
import type { DeepReadonly } from '../config/freeze.ts';
import { nextHint } from '../convos/changes.ts';
import { createEncryption } from '../keys/encryption.ts';
import { audit } from '../platform/audit.ts';
import { checkedBaseURL } from '../platform/egress.ts';
import { refuse } from '../platform/errors.ts';
import { isLeft } from '../tools/tool-filter.ts';
import { letterIcon } from './icon.ts';
import { listSavedFields, removePluginValues, savePluginValues } from './keys.ts';
import { findPlugin, PLUGINS } from './manifest.ts';
import { ENDED } from './open-api-plugins.ts';
import type { End, ManifestField, ManifestPlugin } from './define-plugin.ts';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/parts/secrets.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

export interface PluginServices extends CoreServices {
  secrets: Secrets;
}

type Stored = CoreServices;

/** All plugins in the order of the store, as this person sees them. */
export async function listPlugins({ db, config }: Stored, userId: string): Promise<Plugin[]> {
  const [user] = await db.query.select({ plugins: users.plugins }).from(users).where(eq(users.id, userId));
  const saved = await listSavedFields(db, userId);
  return PLUGINS.filter(({ key }) => isLeft(config.tools.filter, key)).map((plugin) => ({
    key: plugin.key,
    name: plugin.name,
    description: plugin.description,
    icon: letterIcon(plugin.name),
    fields: plugin.fields.map((field) => presentField(field, saved)),
    isAuthenticated: isAuthenticated(config.plugins, plugin),
    isInstalled: user?.plugins.includes(plugin.key) ?? false,
    isForAssistants: plugin.isForAssistants,
    isOpenApi: plugin.document !== undefined,
    ...presentEnd(plannedEnd(config, plugin)),
  }));
}

/**
 * Adds a plugin to the person's list, at its end, and saves values of its fields. Doing it again changes nothing else.
 * @throws Refusal `invalid_input` for an unknown plugin or field; `forbidden_base_url`
 */
export async function installPlugin(deps: PluginServices, userId: string, input: InstallPlugin): Promise<void> {
  const plugin = assertPlugin(input.key);
  assertValues(deps.config, plugin, input.values);
  const encryption = createEncryption(deps.secrets.credsKey, []);
  await deps.db.query.transaction(async (tx) => {
    // Locks the user's row: two installations at once both count.
    await nextHint(tx, userId, 'keys');
    if (!input.isForAssistant) {
      const added = sql`case when ${users.plugins} ? ${plugin.key} then ${users.plugins}
        else ${users.plugins} || to_jsonb(${plugin.key}::text) end`;
      await tx.update(users).set({ plugins: added }).where(eq(users.id, userId));
    }
    await savePluginValues(tx, encryption, userId, input.values);
  });
  const fields = Object.keys(input.values).join(',');
  audit(deps, 'plugin_installed', { userId, plugin: plugin.key, ...(fields && { fields }) });
}

/** @throws Refusal `invalid_input` for an unknown plugin or field */
export async function uninstallPlugin(deps: CoreServices, userId: string, input: UninstallPlugin): Promise<void> {
  const plugin = assertPlugin(input.key);
  assertFields(plugin, input.fields);
  await deps.db.query.transaction(async (tx) => {
    await nextHint(tx, userId, 'keys');
    if (!input.isForAssistant) {
      const left = sql`${users.plugins} - ${plugin.key}::text`;
      await tx.update(users).set({ plugins: left }).where(eq(users.id, userId));
    }
    await removePluginValues(tx, userId, input.fields);
  });
  audit(deps, 'plugin_removed', { userId, plugin: plugin.key });
}

/** Whether the operator's values fill all fields; false for a plugin without any. */
export function isAuthenticated(
  { fields }: Pick<DeepReadonly<PluginsConfig>, 'fields'>,
  plugin: ManifestPlugin,
): boolean {
  return plugin.fields.length > 0 && plugin.fields.every(({ names }) => names.some((name) => fields[name]));
}

/**
 * Why nobody can use the plugin; null when its service lives, when the operator named another in its place, or wants it
 * to be tried.
 */
export function plannedEnd(
  { env, plugins }: { env: Readonly<Record<string, string>>; plugins: { openApi: boolean } },
  { ended, service, document, isBuiltin }: ManifestPlugin,
): End | null {
  if (document !== undefined && !isBuiltin) return plugins.openApi ? null : ENDED;
  return ended === undefined || (service && env[service]) ? null : ended;
}

/** As a plugin of a list has it. */
export function presentEnd(end: End | null): Pick<Plugin, 'unavailable' | 'why'> {
  return end ? { unavailable: end.text, why: end.why } : { unavailable: null };
}

function presentField(
  { names, label, description, ...field }: ManifestField,
  saved: ReadonlySet<string>,
): PresentedField {
  const isSaved = names.some((name) => saved.has(name));
  const { isAddress = false, isOptional = false }: { isAddress?: boolean; isOptional?: boolean } = field;
  return { field: names.join('||'), label, description, isAddress, isOptional, isSaved };
}

function assertPlugin(key: string): ManifestPlugin {
  return findPlugin(key) ?? refuse({ type: 'invalid_input', text: 'There is no such plugin' });
}

/** Addresses are checked now rather than at the first call. */
function assertValues({ server }: Config, plugin: ManifestPlugin, values: InstallPlugin['values']): void {
  assertFields(plugin, Object.keys(values));
  for (const { names, isAddress } of plugin.fields)
    for (const name of names) {
      const value = values[name];
      if (isAddress && value !== undefined) checkedBaseURL(value, server.egressAllowedHosts);
    }
}

/** A plugin cannot change the values of another one's fields. */
function assertFields(plugin: ManifestPlugin, fields: readonly string[]): void {
  const own: readonly string[] = plugin.fields.flatMap(({ names }) => names);
  const other = fields.find((field) => !own.includes(field));
  if (other !== undefined) refuse({ type: 'invalid_input', text: `The plugin has no field ${other.slice(0, 80)}` });
}
