import { CHOSEN_TOOLS_MAX } from '@parley/schema/catalog/params';
import type { ToolInfo } from '@parley/schema/tools/tools';
import { describe, expect, test } from 'vitest';
import {
  arrangeTools,
  chosenTools,
  grantLabel,
  isPartFound,
  toggleTool,
  withTools,
} from '../../../../web/src/chat/tools/arrange-tools.ts';

const tool = (
  key: string,
  source: ToolInfo['from']['source'],
  label: string,
  rest: Partial<ToolInfo> = {},
): ToolInfo => ({
  key,
  from: { source, id: key, label },
  description: `About ${label}`,
  unavailable: null,
  ...rest,
});
const offered = [
  tool('mcp:files', 'mcp', 'Team files'),
  tool('calculator', 'builtin', 'Calculator', { description: 'Exact arithmetic' }),
  tool('google', 'plugin', 'Google', { unavailable: 'It needs a key.' }),
];
const look = { query: '', gone: 'Gone' };

describe('the menu of tools', () => {
  const labels = (groups: ReturnType<typeof arrangeTools>) =>
    groups.map(({ section, rows }) => [section, ...rows.map(({ label }) => label)]);

  test('has what is on first, then what can be switched on, and no dead service among them', () => {
    const more = [
      ...offered,
      tool('shops', 'plugin', 'Shops', { unavailable: 'It has ended.', why: { type: 'service_ended' } }),
      tool('weather', 'plugin', 'Weather'),
    ];
    expect(labels(arrangeTools(more, ['google'], look))).toEqual([
      ['on', 'Google'],
      ['usable', 'Calculator', 'Team files', 'Weather'],
      ['more', 'Shops'],
    ]);
    expect(arrangeTools(more, [], look).at(-1)?.rows[0]?.unavailable).toBe('It needs a key.');
  });

  test('moves no row while it is open: what was on when it opened stays first, and nothing joins it', () => {
    const first = ['calculator'];
    expect(labels(arrangeTools(offered, ['mcp:files'], { ...look, first }))).toEqual([
      ['on', 'Calculator'],
      ['usable', 'Team files'],
      ['more', 'Google'],
    ]);
  });

  test('does not tell people of a missing search service, which only an administrator can set up', () => {
    const search = tool('web_search', 'builtin', 'Web search', { unavailable: 'None.', why: { type: 'no_search' } });
    const groups = (isOperator: boolean, chosen: string[]) =>
      labels(arrangeTools([search], chosen, { ...look, isOperator }));
    expect(groups(true, [])).toEqual([['more', 'Web search']]);
    expect(groups(false, [])).toEqual([]);
    expect(groups(false, ['web_search'])).toEqual([['on', 'Web search']]);
  });

  test('finds by name and description, in any case, and says where what it found comes from', () => {
    const found = (query: string) => labels(arrangeTools(offered, [], { ...look, query }));
    expect(found(' ARITH ')).toEqual([['builtin', 'Calculator']]);
    expect(found('a')).toEqual([
      ['builtin', 'Calculator'],
      ['mcp', 'Team files'],
      ['plugin', 'Google'],
    ]);
    expect(found('nothing like it')).toEqual([]);
  });

  test('finds the tools of a server by their names, what they say of themselves and the server, and shows these', () => {
    const parts = [
      { name: 'push_files', description: 'Commits several files', isOn: true },
      { name: 'get_issue', description: 'Reads an issue', isOn: false },
    ];
    const server = tool('mcp:hub', 'mcp', 'Hub', { description: 'push_files', tools: parts });
    const found = (query: string) =>
      arrangeTools([...offered, server], [], { ...look, query }).flatMap(({ rows }) =>
        rows.map(({ label, partsFound }) => [label, partsFound]),
      );
    expect(found('reads ISSUE')).toEqual([['Hub', 'reads ISSUE']]);
    expect(found('push files')).toEqual([['Hub', 'push files']]);
    expect(found('hub commits')).toEqual([['Hub', 'hub commits']]);
    expect(found('hub')).toEqual([['Hub', undefined]]);
    expect(found('')).toContainEqual(['Hub', undefined]);
    expect(parts.filter((part) => isPartFound(part, 'Hub', 'hub issue'))).toEqual([parts[1]]);
  });

  test('tells how a server is used, and what lacks nothing but its key', () => {
    const parts = [{ name: 'read', isOn: true }];
    const fields = [{ field: 'KEY', label: 'Key' }];
    const locked = tool('shop', 'plugin', 'Shop', { unavailable: 'Key.', why: { type: 'values_missing', fields } });
    const rows = arrangeTools([tool('mcp:a', 'mcp', 'A', { tools: parts }), locked], [], look).map(
      (one) => one.rows[0],
    );
    expect(rows).toMatchObject([
      { key: 'mcp:a', parts },
      { key: 'shop', lacksValues: true },
    ]);
  });

  test('keeps what is on and no longer offered, so that it can be switched off', () => {
    const [on] = arrangeTools(offered, ['action:crm', 'calculator'], look);
    expect(on?.rows.at(-1)).toEqual({
      key: 'action:crm',
      label: 'crm',
      description: '',
      unavailable: 'Gone',
      isOn: true,
    });
  });
});

test('a tool that is gone is not called by an id that says nothing', () => {
  const key = 'mcp:0b9f3e6a-6f0c-4f7e-9d43-3a4c2d1e5f60';
  const rows = arrangeTools([], [key], look).flatMap((group) => group.rows);
  expect(rows).toEqual([{ key, label: 'Gone', description: '', unavailable: null, isOn: true }]);
});

describe('the choice of a conversation', () => {
  test('is a setting that is absent while nothing is chosen', () => {
    expect(chosenTools({})).toEqual([]);
    const settings = withTools({ temperature: 0.5 }, ['calculator']);
    expect(settings).toEqual({ temperature: 0.5, tools: ['calculator'] });
    expect(chosenTools(settings)).toEqual(['calculator']);
    expect(withTools(settings, [])).toEqual({ temperature: 0.5 });
  });

  test('grows to its limit, and shrinks at any time', () => {
    const full = Array.from({ length: CHOSEN_TOOLS_MAX }, (_, n) => `tool ${n}`);
    expect(toggleTool([], 'a')).toEqual(['a']);
    expect(toggleTool(full, 'one more')).toEqual(full);
    expect(toggleTool(full, 'tool 0')).toHaveLength(CHOSEN_TOOLS_MAX - 1);
  });
});

test('a tool that is always allowed is called by its own name', () => {
  expect(grantLabel('action:crm:list:all')).toBe('list:all');
  expect(grantLabel('odd')).toBe('odd');
});
