// The services that tools ask, which take keys or addresses: those of plugins, and of the search of the web.
import type { Config } from '../../config/config.ts';
import { address, field, type ManifestField, type ManifestPlugin } from '../../plugins/define-plugin.ts';
import { refuse } from '../../platform/errors.ts';
import { PLUGINS } from '../../plugins/manifest.ts';
import { plannedEnd } from '../../plugins/plugins.ts';

export interface ToolService {
  name: string;
  label: string;
  description: string;
  fields: readonly ManifestField[];
  /** Null for one that only the search of the web asks. */
  plugin: ManifestPlugin | null;
}

const SEARCHES: readonly ToolService[] = [
  {
    name: 'brave',
    label: 'Brave Search',
    description: 'Searches the web.',
    fields: [field('BRAVE_API_KEY', 'Brave API key', 'The key of your account at api.search.brave.com.')],
    plugin: null,
  },
  {
    name: 'searxng',
    label: 'SearXNG',
    description: 'Searches the web.',
    fields: [address('SEARXNG_URL', 'SearXNG URL', 'The address of a SearXNG whose settings allow the format json.')],
    plugin: null,
  },
];

/** Those that live, in the order of the store. */
export function toolServices(config: Config): ToolService[] {
  const living = PLUGINS.filter((plugin) => !plugin.isBuiltin && plannedEnd(config, plugin) === null);
  return [
    ...living.map((plugin) => ({ ...pick(plugin), fields: plugin.fields.filter((one) => !one.isOptional), plugin })),
    ...SEARCHES,
  ];
}

function pick({ key, name, description }: ManifestPlugin) {
  return { name: key, label: name, description };
}

/** The value that the environment gives for one of these names. */
export function operatorsValue({ plugins }: Config, names: readonly string[]): string | undefined {
  const { fields, braveKey, searxngURL } = plugins;
  const given = new Map(Object.entries({ ...fields, BRAVE_API_KEY: braveKey, SEARXNG_URL: searxngURL }));
  return names.map((name) => given.get(name)).find(Boolean);
}

export function presentServiceField({ names: [name], label, description, isAddress }: ManifestField) {
  return { field: name, label, description, isAddress: isAddress ?? false };
}

export function invalid(text: string): never {
  return refuse({ type: 'invalid_input', text });
}
