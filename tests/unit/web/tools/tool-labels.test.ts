// @vitest-environment happy-dom
import { PLUGINS } from '@parley/server/plugins/manifest';
import { OPEN_API_PLUGINS } from '@parley/server/plugins/open-api-plugins';
import { beforeAll, describe, expect, it } from 'vitest';
import { toolInWords } from '../../../../web/src/chat/tools/tool-labels.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { describePlugin } from '../../../../web/src/plugins/plugin-descriptions.ts';

beforeAll(startEnglish);

const ours = PLUGINS.filter((plugin) => !OPEN_API_PLUGINS.includes(plugin));

describe('what a plugin does', () => {
  it.each(ours.map((plugin) => [plugin.key, plugin] as const))(
    'is said in English as its manifest says it: %s',
    (key, plugin) => {
      expect(describePlugin({ key, description: 'Anything' }, i18n.t)).toBe(plugin.description);
    },
  );

  it('names its maker where it is not one of ours', () => {
    expect(describePlugin({ key: 'toString', description: 'Draws maps.' }, i18n.t)).toBe('Draws maps.');
  });

  it('is shown with its tools in menus', () => {
    const from = { source: 'plugin' as const, id: 'wolfram', label: 'Wolfram' };
    const tool = { key: 'wolfram', from, description: 'Anything', unavailable: null };
    expect(toolInWords(tool, i18n.t).description).toContain('Wolfram|Alpha');
  });
});

it('the code interpreter says which packages it has, or that it has none', () => {
  const from = { source: 'builtin' as const, id: 'code_interpreter', label: 'Code interpreter' };
  const said = (packages?: string[]) =>
    toolInWords(
      { key: 'code_interpreter', from, description: '', ...(packages && { packages }), unavailable: null },
      i18n.t,
    ).description;
  const about = 'Runs Python, for calculations, data, charts and files.';
  expect(said()).toBe(about);
  expect(said([])).toBe(`${about} Only Python's standard library is available, without numpy and matplotlib.`);
  expect(said(['numpy 2.4', 'pandas 3.0'])).toBe(`${about} With numpy 2.4, pandas 3.0.`);
});
