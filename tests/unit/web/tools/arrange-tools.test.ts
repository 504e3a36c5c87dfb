import { CHOSEN_TOOLS_MAX } from '@parley/schema/catalog/params';
import type { ToolInfo } from '@parley/schema/tools/tools';
import { describe, expect, test } from 'vitest';
import {
  arrangeTools,
  chosenTools,
  grantLabel,
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
  test('groups them by where they come from', () => {
    const groups = arrangeTools(offered, ['google'], look);
    expect(groups.map(({ source, rows }) => [source, ...rows.map(({ label, isOn }) => `${label} ${isOn}`)])).toEqual([
      ['builtin', 'Calculator false'],
      ['plugin', 'Google true'],
      ['mcp', 'Team files false'],
    ]);
    expect(groups[1]?.rows[0]?.unavailable).toBe('It needs a key.');
  });

  test('finds by name and description, in any case', () => {
    const found = (query: string) =>
      arrangeTools(offered, [], { ...look, query }).flatMap(({ rows }) => rows.map(({ key }) => key));
    expect(found(' ARITH ')).toEqual(['calculator']);
    expect(found('files')).toEqual(['mcp:files']);
    expect(found('nothing like it')).toEqual([]);
  });

  test('keeps what is on and no longer offered, so that it can be switched off', () => {
    const [builtin, plugin, action, mcp] = arrangeTools(offered, ['action:crm', 'calculator'], look);
    expect([builtin?.source, plugin?.source, action?.source, mcp?.source]).toEqual([
      'builtin',
      'plugin',
      'action',
      'mcp',
    ]);
    expect(action?.rows).toEqual([
      { key: 'action:crm', label: 'crm', description: '', unavailable: 'Gone', isOn: true },
    ]);
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
