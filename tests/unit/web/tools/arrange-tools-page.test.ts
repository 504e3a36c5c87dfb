// @vitest-environment happy-dom
import type { McpServer } from '@parley/schema/tools/mcp-servers';
import type { Plugin, PluginField } from '@parley/schema/tools/plugins';
import type { ToolInfo } from '@parley/schema/tools/tools';
import { beforeAll, describe, expect, test } from 'vitest';
import { i18n } from '../../../../web/src/i18n.ts';
import { arrangeToolsPage, findServers, type ToolLine } from '../../../../web/src/tools/arrange-tools-page.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);

const tool = (source: ToolInfo['from']['source'], key: string, rest: Partial<ToolInfo> = {}): ToolInfo => ({
  key,
  from: { source, id: key, label: key },
  description: `About ${key}`,
  unavailable: null,
  ...rest,
});

const key: PluginField = {
  field: 'KEY',
  label: 'Key',
  description: '',
  isAddress: false,
  isOptional: false,
  isSaved: false,
};

const plugin = (name: string, rest: Partial<Plugin> = {}): Plugin => ({
  key: name.toLowerCase(),
  name,
  description: `About ${name}`,
  icon: '',
  fields: [],
  isAuthenticated: false,
  isInstalled: false,
  isForAssistants: true,
  isOpenApi: false,
  unavailable: null,
  ...rest,
});

const OFF = { unavailable: 'None is set up.', why: { type: 'no_search' as const } };
const ENDED = { unavailable: 'It has ended.', why: { type: 'service_ended' as const } };

const tools = [
  tool('builtin', 'calculator'),
  tool('builtin', 'web_search', OFF),
  tool('plugin', 'tavily'),
  tool('mcp', 'mcp:notes'),
  tool('action', 'action:weather'),
];
const plugins = [
  plugin('Wolfram', { fields: [key] }),
  plugin('Tavily', { fields: [{ ...key, isSaved: true }], isInstalled: true }),
  plugin('Google', { fields: [key], isAuthenticated: true }),
  plugin('Browser'),
  plugin('Calculator'),
  plugin('Tarot', ENDED),
  plugin('Dreams', { ...ENDED, isInstalled: true }),
  plugin('Drinks', { isOpenApi: true }),
];

function arrange(query = '', isOperator = false) {
  return arrangeToolsPage(tools, plugins, { query, isOperator, t: i18n.t });
}

const keys = (lines: readonly ToolLine[]) => lines.map((line) => line.key);

describe('the page of tools', () => {
  test('has what is built in, services by what is set up, and apart what needs an administrator', () => {
    const { builtin, services, closed } = arrange();
    expect(keys(builtin)).toEqual(['calculator']);
    expect(services.map((line) => [line.key, line.state])).toEqual([
      ['action:weather', 'ready'],
      ['tavily', 'own_key'],
      ['google', 'for_all'],
      ['browser', 'ready'],
      ['dreams', 'ended'],
      ['wolfram', 'not_set_up'],
    ]);
    expect(keys(closed)).toEqual(['web_search']);
  });

  test('leaves services that have ended, and mere documents, to the store unless somebody has them', () => {
    const all = Object.values(arrange()).flatMap(keys);
    expect(all).toContain('dreams');
    expect(all).not.toContain('tarot');
    expect(all).not.toContain('drinks');
  });

  test('names a tool once where a plugin has its key', () => {
    const named = Object.values(arrange()).flatMap(keys);
    expect(named.filter((one) => one === 'calculator')).toHaveLength(1);
  });

  test('says why a tool is closed, and to others than administrators who can change it', () => {
    const [mine] = arrange('', true).closed;
    const [theirs] = arrange().closed;
    expect(mine?.why).toBe('Web search is not set up on this site.');
    expect(theirs?.why).toBe("Web search is not set up on this site. This site's administrator can change that.");
  });

  test('finds by words of names, descriptions and reasons, in any case', () => {
    expect(Object.values(arrange(' WOLF ')).map(keys)).toEqual([[], ['wolfram'], []]);
    expect(Object.values(arrange('programmable GOOG')).map(keys)).toEqual([[], ['google'], []]);
    expect(Object.values(arrange('not set up')).map(keys)).toEqual([[], [], ['web_search']]);
    expect(Object.values(arrange('nothing like it')).flat()).toEqual([]);
  });

  test('finds servers by name, address and tools', () => {
    const server = (name: string, tools: McpServer['tools'] = []): McpServer => ({
      id: name,
      name,
      url: `https://${name}.example.com/mcp`,
      auth: 'none',
      isShared: false,
      isEnabled: true,
      isSignedIn: false,
      tools,
      reason: null,
    });
    const servers = [server('notes', [{ name: 'read', description: 'Reads a page.', isOn: true }]), server('mail')];
    const named = (query: string) => findServers(servers, query).map(({ name }) => name);
    expect(named('')).toEqual(['notes', 'mail']);
    expect(named('MAIL.example')).toEqual(['mail']);
    expect(named('reads')).toEqual(['notes']);
    expect(named('calendar')).toEqual([]);
  });
});
