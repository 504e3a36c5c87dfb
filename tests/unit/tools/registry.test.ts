import { createToolRegistry } from '@parley/server/tools/registry';
import type { ToolSource } from '@parley/server/tools/tool';
import { describe, expect, it } from 'vitest';
import { createTool, sourceOf } from '../../support/tools/agents.ts';

const chosen = (...keys: string[]) => ({ userId: 'user', convoId: 'convo', keys, files: [] });
const down: ToolSource = {
  name: 'mcp',
  tools: () => Promise.reject(new Error('secret host is down')),
  list: () => Promise.reject(new Error('secret host is down')),
};

describe('the registry of tools', () => {
  it('gives tools of the same name names of their own, which still call them', async () => {
    const one = sourceOf(createTool('same', { run: async () => ({ type: 'done', text: 'one' }) }));
    const two = sourceOf(createTool('same', { run: async () => ({ type: 'done', text: 'two' }) }));
    const { tools } = await createToolRegistry([one, two]).for(chosen('same'));
    expect([...tools.keys()]).toEqual(['same', 'same_2']);
    const second = tools.get('same_2');
    expect(second?.name).toBe('same_2');
    const ids = { userId: 'user', convoId: 'convo', generationId: 'generation', callId: '0:0' };
    const run = { ...ids, args: {}, signal: new AbortController().signal, report: () => undefined };
    expect(await second?.run(run)).toMatchObject({ text: 'two' });
  });

  it('makes names, descriptions and schemas such that every provider accepts them', async () => {
    const names = ['städte.suche', 'x'.repeat(100), `${'x'.repeat(99)}y`];
    const parameters = { type: 'object', properties: { city: { type: 'string', pattern: '^(a+)+$' } } };
    const tools = names.map((name) => createTool(name, { description: 'd'.repeat(9000), parameters }));
    const offered = (await createToolRegistry([sourceOf(...tools)]).for(chosen(...names))).tools;
    expect([...offered.keys()].filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
    expect(offered.size).toBe(3);
    for (const { description, parameters: safe } of offered.values()) {
      expect(description.length).toBeLessThanOrEqual(4096);
      expect(safe).toEqual({ type: 'object', properties: { city: { type: 'string' } } });
    }
  });

  it('takes control and direction characters out of what strangers say', async () => {
    const said = { description: 'Reads.\u202e\u0007\u{e0049}', does: 'GET\u2066 /pets' };
    const { tools } = await createToolRegistry([sourceOf(createTool('a', said))]).for(chosen('a'));
    expect(tools.get('a')).toMatchObject({ description: 'Reads.', does: 'GET /pets' });
  });

  it('goes on without a source that fails: a problem that says nothing of the cause', async () => {
    const faults: unknown[] = [];
    const registry = createToolRegistry([down, sourceOf(createTool('echo'))], {
      onFault: (error) => faults.push(error),
    });
    const { tools, problems } = await registry.for(chosen('echo'));
    expect([...tools.keys()]).toEqual(['echo']);
    expect(problems).toMatchObject([{ from: { source: 'mcp' } }]);
    expect(JSON.stringify(problems)).not.toContain('secret');
    expect((await registry.list('user')).map(({ key }) => key)).toEqual(['echo']);
    expect(faults).toHaveLength(2);
  });

  it('offers up to 128 tools at once, without a search for more', async () => {
    const { tools, hidden } = await offering(128);
    expect([tools.size, hidden.size(), tools.has('find_tools')]).toEqual([128, 0, false]);
  });

  it('offers some of more than 128 tools, and a tool that finds the others', async () => {
    const { tools, hidden, problems } = await offering(400);
    const offered = [...tools.keys()].filter((name) => !hidden.has(name));
    expect(tools.size).toBe(401);
    expect(offered).toHaveLength(101);
    expect(offered.at(-1)).toBe('find_tools');
    expect(problems).toEqual([]);
    for (let n = 399; n > 300; n--) hidden.find(`tool${n}`);
    const found = [...tools.keys()].filter((name) => !hidden.has(name));
    expect(found.length).toBeLessThanOrEqual(128);
    expect(found).toContain('tool301');
  });

  it('hides the tools that their source hides', async () => {
    const tools = [createTool('a'), createTool('b', { isHidden: true })];
    const { hidden, tools: all } = await createToolRegistry([sourceOf(...tools)]).for(chosen('a', 'b'));
    expect([...all.keys()]).toEqual(['a', 'b', 'find_tools']);
    expect(['a', 'b', 'find_tools'].map((name) => hidden.has(name))).toEqual([false, true, false]);
  });

  it('offers as many tools of a server as a quarter of the window of a model has room for, those called before first, and those chosen singly', async () => {
    const does = (name: string) => ({ does: name, description: 'd'.repeat(400) });
    const many = Array.from({ length: 20 }, (_, n) => createTool(`many${n}`, does(`many${n}`)));
    const all = [...many, createTool('single', { description: 'd'.repeat(4000) }), createTool('other')];
    const registry = createToolRegistry([sourceOf(...all)]);
    const keys = all.map(({ name }) => name);
    const shownBy = async (specTokensMax: number, called: string[] = []) => {
      const { tools, hidden } = await registry.for({ ...chosen(...keys), specTokensMax, called });
      return [...tools.keys()].filter((name) => !hidden.has(name));
    };
    expect(await shownBy(32_000)).toEqual(keys);
    const some = await shownBy(2000);
    expect(some).toEqual(['many0', 'many1', 'many2', 'single', 'other', 'find_tools']);
    expect(await shownBy(1000)).toEqual(['single', 'other', 'find_tools']);
    const usedBefore = await shownBy(2000, ['many19', 'many7', 'gone']);
    expect(usedBefore).toEqual(['many0', 'many7', 'many19', 'single', 'other', 'find_tools']);
  });

  async function offering(count: number) {
    const names = Array.from({ length: count }, (_, n) => `tool${n}`);
    const source = sourceOf(...names.map((name) => createTool(name)));
    return createToolRegistry([source]).for(chosen(...names));
  }
});
