import { toolName } from '@parley/server/mcp/names';
import { createUniqueNames, hashedName, legalName, TOOL_NAME_MAX } from '@parley/server/tools/tool-names';
import { describe, expect, it } from 'vitest';

describe('names of tools', () => {
  it('have no other characters', () => {
    expect(legalName('get.weather v2 天气-x_y')).toBe('get_weather_v2___-x_y');
    expect(legalName('get.weather v2', '')).toBe('getweatherv2');
  });

  it('keep their beginning when they have a hash, and differ with what they stand for', () => {
    const names = ['a', 'b'].map((end) => hashedName('x'.repeat(100), end));
    for (const name of names) expect(name).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(names.map(({ length }) => length)).toEqual([TOOL_NAME_MAX, TOOL_NAME_MAX]);
    expect(new Set(names).size).toBe(2);
    expect(hashedName('short', 'other', 12)).toMatch(/^sho_[0-9a-f]{8}$/);
  });

  it('are made unique', () => {
    const unique = createUniqueNames(5);
    expect(['abcde', 'abcde', 'abcde', 'b'].map(unique)).toEqual(['abcde', 'abc_2', 'abc_3', 'b']);
  });

  it('of MCP servers keep their legal characters, and stay distinct when they would become the same', () => {
    expect(toolName('weather', 'look_up')).toBe('mcp_weather_look_up');
    const changed = ['look.up', 'look up'].map((tool) => toolName('weather', tool));
    for (const name of changed) expect(name).toMatch(/^mcp_weather_look_up_[0-9a-f]{8}$/);
    expect(new Set(changed).size).toBe(2);
    expect(toolName('weather', 'x'.repeat(200))).toMatch(/^mcp_weather_x{43}_[0-9a-f]{8}$/);
  });
});
