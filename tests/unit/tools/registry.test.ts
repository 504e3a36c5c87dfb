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

  it('offers at most 128 tools and names those that are left out', async () => {
    const names = Array.from({ length: 130 }, (_, n) => `tool${n}`);
    const source = sourceOf(...names.map((name) => createTool(name)));
    const { tools, problems } = await createToolRegistry([source]).for(chosen(...names));
    expect(tools.size).toBe(128);
    expect(problems.map(({ text }) => text)).toEqual([
      expect.stringContaining('tool128'),
      expect.stringContaining('tool129'),
    ]);
  });
});
