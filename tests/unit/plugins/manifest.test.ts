// The manifest, and whose values a plugin works with.
import { pluginCredentials } from '@parley/server/plugins/credentials';
import { letterIcon } from '@parley/server/plugins/icon';
import { findPlugin, PLUGINS } from '@parley/server/plugins/manifest';
import type { ManifestField, ManifestPlugin } from '@parley/server/plugins/define-plugin';
import { plannedEnd, isAuthenticated } from '@parley/server/plugins/plugins';
import { describe, expect, it } from 'vitest';

function plugin(key: string): ManifestPlugin {
  const found = findPlugin(key);
  if (!found) throw new Error(`There is no plugin ${key}`);
  return found;
}

function labelsOf(fields: readonly ManifestField[]): string[] {
  return fields.map(({ label }) => label);
}

describe('the manifest', () => {
  it('has tools of each plugin that is more than a document and no built-in tool', () => {
    const keys = PLUGINS.filter(({ document, isBuiltin }) => !document && !isBuiltin).map(({ key }) => key);
    expect(PLUGINS.filter(({ tools }) => tools).map(({ key }) => key)).toEqual(keys);
  });

  it('has each key once', () => {
    expect(new Set(PLUGINS.map(({ key }) => key)).size).toBe(28);
  });

  it('has images that are well-formed addresses', () => {
    for (const { name } of PLUGINS) {
      const svg = decodeURIComponent(letterIcon(name).slice('data:image/svg+xml,'.length));
      expect(svg).toMatch(/^<svg [^<>]+><rect [^<>]+\/><text [^<>]+>[A-Z\d]<\/text><\/svg>$/);
    }
  });
});

describe('a plugin is authenticated', () => {
  it('when the operator fills every field, by any of its names', () => {
    expect(isAuthenticated({ fields: { DALLE_API_KEY: 'a' } }, plugin('dalle'))).toBe(true);
    expect(isAuthenticated({ fields: { DALLE3_API_KEY: 'a' } }, plugin('dalle'))).toBe(true);
    expect(isAuthenticated({ fields: { DALLE2_API_KEY: 'a' } }, plugin('dalle'))).toBe(false);
    expect(isAuthenticated({ fields: { GOOGLE_CSE_ID: 'a' } }, plugin('google'))).toBe(false);
    expect(isAuthenticated({ fields: {} }, plugin('calculator'))).toBe(false);
  });
});

describe('the values of a plugin', () => {
  const none = new Map<string, string>();

  it('are found under each of the names of a field, the person’s own first', () => {
    const own = new Map([['DALLE_API_KEY', 'own']]);
    const given = { DALLE3_API_KEY: 'operator’s' };
    expect(pluginCredentials(plugin('dalle'), own, given).values.get('DALLE3_API_KEY')).toBe('own');
    expect(pluginCredentials(plugin('dalle'), none, given).values.get('DALLE3_API_KEY')).toBe('operator’s');
    expect(labelsOf(pluginCredentials(plugin('dalle'), none, {}).missing)).toEqual(['OpenAI API key']);
  });

  it('may come from both where the address is not the person’s', () => {
    const own = new Map([['GOOGLE_CSE_ID', 'own']]);
    const { values, isOwnAddress, missing } = pluginCredentials(plugin('google'), own, {
      GOOGLE_SEARCH_API_KEY: 'operator’s',
    });
    expect([...values.values()]).toEqual(['own', 'operator’s']);
    expect([isOwnAddress, missing]).toEqual([false, []]);
  });

  it('are all the person’s where the address is', () => {
    const own = new Map([['AZURE_AI_SEARCH_SERVICE_ENDPOINT', 'https://own.example']]);
    const given = { AZURE_AI_SEARCH_INDEX_NAME: 'papers', AZURE_AI_SEARCH_API_KEY: 'operator’s' };
    const { values, isOwnAddress, missing } = pluginCredentials(plugin('azure-ai-search'), own, given);
    expect([...values.values()]).toEqual(['https://own.example']);
    expect(isOwnAddress).toBe(true);
    expect(labelsOf(missing)).toEqual(['Azure AI Search index name', 'Azure AI Search API key']);
  });

  it('are not needed for an optional field', () => {
    expect(pluginCredentials(plugin('web-browser'), none, {}).missing).toEqual([]);
  });
});

it('a service that has ended is back where the operator names another', () => {
  const plugins = { openApi: false };
  const env = { ZAPIER_NLA_BASE_URL: 'https://zapier.example' };
  expect(plannedEnd({ env: {}, plugins }, plugin('zapier'))?.text).toContain('has ended');
  expect(plannedEnd({ env, plugins }, plugin('zapier'))).toBeNull();
  expect(plannedEnd({ env: {}, plugins }, plugin('google'))).toBeNull();
  expect(plannedEnd({ env: {}, plugins }, plugin('scholarai'))?.text).toContain('no longer offered');
  expect(plannedEnd({ env: {}, plugins: { openApi: true } }, plugin('scholarai'))).toBeNull();
});
