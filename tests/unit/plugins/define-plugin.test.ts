// A plugin is one file with one definition, a line in the list of plugins, and its variables in the example; the web app
// may say in other languages what it does.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpUrl, integer } from '@parley/server/config/env/env-readers';
import { definePlugin, field, fieldRows, type PluginContext } from '@parley/server/plugins/define-plugin';
import { PLUGINS } from '@parley/server/plugins/manifest';
import { describe, expect, it } from 'vitest';

const oracle = definePlugin({
  key: 'oracle',
  name: 'Oracle',
  description: 'Foretells.',
  fields: [field(['ORACLE_KEY', 'ANY_ORACLE_KEY'], 'Oracle key', 'From Delphi.')],
  isForAssistants: true,
  env: { ORACLE_URL: httpUrl, ORACLE_DAYS: integer(1, 9) },
  tools: ({ env: { ORACLE_URL: url = 'https://oracle.example', ORACLE_DAYS: days = 3 }, valueOf }) => [
    {
      name: 'oracle',
      description: `${url} ${days} ${valueOf('ORACLE_KEY')}`,
      parameters: { type: 'object' },
      isRepeatable: true,
      run: () => Promise.resolve('Perhaps'),
    },
  ],
});

describe('a plugin that is defined', () => {
  const context = { valueOf: () => 'laurel' } as Partial<PluginContext> as PluginContext;
  const describedBy = (env: Record<string, string>) => oracle.tools?.(context, env)[0]?.description;

  it('is filled in by variables of the names of its fields', () => {
    expect(Object.keys(fieldRows(oracle))).toEqual(['ORACLE_KEY', 'ANY_ORACLE_KEY']);
  });

  it('reads its own variables', () => {
    expect(describedBy({})).toBe('https://oracle.example 3 laurel');
    expect(describedBy({ ORACLE_URL: 'https://delphi.example', ORACLE_DAYS: '7', OTHER: 'x' })).toBe(
      'https://delphi.example 7 laurel',
    );
  });
});

const root = join(import.meta.dirname, '../../..');
const product = readdirSync(join(root, 'server/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `server/src/${file}`)
  .concat('.env.example');

// The search of the web asks some of these services, too, and has their addresses.
const SEARCHED = ['google', 'serpapi', 'tavily_search_results_json'];
const defined = PLUGINS.filter(({ key, tools }) => tools && !SEARCHED.includes(key));

it.each(defined.map((plugin) => [plugin.key, plugin] as const))('three files name the plugin %s', (key, plugin) => {
  const variables = Object.keys({ ...fieldRows(plugin), ...plugin.env });
  const fileOf = (file: string) => readFileSync(join(root, file), 'utf8');
  const [home = ''] = product.filter((file) => fileOf(file).includes(`key: '${key}'`));
  const marks = [...variables.flatMap((name) => [`${name}:`, `'${name}'`, `.${name}`]), `/${home.split('/').at(-1)}'`];
  const naming = product.filter((file) => marks.some((mark) => fileOf(file).includes(mark)));
  const example = fileOf('.env.example');
  expect(variables.filter((name) => !example.includes(`${name}=`))).toEqual([]);
  // Names that two plugins share stand in both.
  const others = naming.filter((file) => file !== home && !file.startsWith('server/src/plugins/tools/'));
  expect(home).toMatch(/^server\/src\/plugins\/tools\//);
  expect(others).toEqual(['server/src/plugins/manifest.ts']);
});
