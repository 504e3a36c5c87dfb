// Servers with more tools than a model is offered at once: which are used is chosen, and the others are found.
import { toolGrants } from '@parley/db/tables/tools';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { findChosenTools } from '@parley/server/assistants/chosen-tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { choosing } from '../../support/tools/tool-run.ts';
import { openMcp, type OpenMcp } from './open-mcp.ts';
import { startPlainServer, type PlainServer } from './plain-server.ts';

/** By the alphabet, as servers list them; `push_files` is the 80th. */
const names = [
  ...Array.from({ length: 79 }, (_, n) => `get_thing_${String(n).padStart(2, '0')}`),
  'push_files',
  ...Array.from({ length: 37 }, (_, n) => `search_thing_${n}`),
];
/** With room for many schemas. */
const MODEL = 'gpt-4-turbo';

const tools = names.map((name) => ({
  name,
  description: name === 'push_files' ? 'Push several files in one commit' : `Does ${name}`,
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
}));

let server: PlainServer;
let mcp: OpenMcp;

beforeAll(async () => {
  server = await startPlainServer({ many: { 'tools/list': { result: { tools } } } });
  const many = { url: server.urlOf('many'), trusted: true };
  mcp = await openMcp({ many }, { OPENAI_MODELS: `gpt-4,${MODEL}`, TITLE_CONVO: 'false' });
});
afterAll(async () => {
  await mcp.close();
  await server.close();
});

const settings = { tools: ['mcp:many'] };

/** The names of the tools of each request whose question has this text. */
function offeredFor(text: string): string[][] {
  const requests = mcp.services.provider.requests.filter(({ body }) => JSON.stringify(body).includes(text));
  return requests.map(({ body }) => {
    const { tools: offered = [] } = body as { tools?: { function: { name: string } }[] };
    return offered.map((tool) => tool.function.name);
  });
}

/** Ten tools that are not offered at first. */
function namesFrom(n: number): string[] {
  return Array.from({ length: 10 }, (_, at) => `search_thing_${(n * 10 + at) % 36}`);
}

function callsOf({ parts }: Pick<Message, 'parts'>) {
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [part.call] : []));
  return calls.map(({ name, state }) => [name, state]);
}

describe('a server with 117 tools', () => {
  it('offers some of them and a search, and what that finds from the next step on', async () => {
    const text = 'Many: call find_tools {"query":"push files"}\ncall mcp_many_push_files {}\n[[tool-steps]]';
    const first = await exchange(mcp.services, mcp.alice.id, question(text, { model: MODEL, settings }));
    expect(callsOf(first.reply)).toEqual([
      ['find_tools', 'done'],
      ['mcp_many_push_files', 'done'],
    ]);
    expect(messageText(first.reply)).toContain('said');
    const [before = [], after = []] = offeredFor('Many: call');
    expect(before).toHaveLength(51);
    expect(before).toContain('find_tools');
    expect(before).not.toContain('mcp_many_push_files');
    expect(after).toContain('mcp_many_push_files');
    // What was found is offered at once in the next question.
    const next = followUp('Once more: call mcp_many_push_files {}\n[[tool-steps]]', first, { model: MODEL });
    await exchange(mcp.services, mcp.alice.id, { ...next, settings });
    expect(offeredFor('Once more: call')[0]).toContain('mcp_many_push_files');
  });

  it('offers fewer of them to a model with a small window', async () => {
    const asked = question('Which fit?', { model: 'gpt-4', settings });
    await exchange(mcp.services, mcp.alice.id, asked);
    const [offered = []] = offeredFor('Which fit?');
    expect(offered).toContain('find_tools');
    expect(offered.length).toBeLessThan(51);
  });

  it('tells the model the names of those that it has to find', async () => {
    const asked = question('Which are there?', { model: MODEL, settings });
    await exchange(mcp.services, mcp.alice.id, asked);
    const request = mcp.services.provider.requests.find(({ body }) =>
      JSON.stringify(body).includes('Which are there?'),
    );
    expect(JSON.stringify(request?.body)).toContain('push_files, search_thing_0');
  });

  it('offers first what its person always allows', async () => {
    const { query } = mcp.services.deps.db;
    const tool = 'mcp:many:mcp_many_search_thing_36';
    await query.insert(toolGrants).values({ userId: mcp.bob.id, tool, fingerprint: 'x' });
    const { tools: offered } = await mcp.services.deps.mcp.source.tools(choosing(mcp.bob.id, ['mcp:many']));
    expect(offered[0]?.name).toBe('mcp_many_search_thing_36');
    expect(offered.filter(({ isHidden }) => !isHidden)).toHaveLength(50);
  });

  it('offers before these what the conversation has called, in an order that stays', async () => {
    const { source } = mcp.services.deps.mcp;
    const namesWith = async (...called: string[]) => {
      const { tools: found } = await source.tools({ ...choosing(mcp.bob.id, ['mcp:many']), called });
      return {
        all: found.map(({ name }) => name),
        hidden: found.filter((one) => one.isHidden).map(({ name }) => name),
      };
    };
    const [before, after] = [
      await namesWith(),
      await namesWith('mcp_many_push_files', 'mcp_many_get_thing_70', 'gone'),
    ];
    expect(before.hidden).toEqual(expect.arrayContaining(['mcp_many_push_files', 'mcp_many_get_thing_70']));
    const more = new Set(after.hidden);
    expect(
      ['mcp_many_push_files', 'mcp_many_get_thing_70', 'mcp_many_search_thing_36'].filter((name) => more.has(name)),
    ).toEqual([]);
    expect([after.all, more.size]).toEqual([before.all, before.hidden.length]);
  });

  it('offers what was called above though later finds take the room of what was found', async () => {
    const call = (name: string) => `call ${name} {}`;
    const text = `Early: call find_tools {"query":"push files"}\n${call('mcp_many_push_files')}\n[[tool-steps]]`;
    const first = await exchange(mcp.services, mcp.alice.id, question(text, { model: MODEL, settings }));
    const finds = Array.from({ length: 4 }, (_, n) => `call find_tools {"query":"${namesFrom(n).join(' ')}"}`).join(
      '\n',
    );
    const next = followUp(`Later:\n${finds}\n[[tool-steps]]`, first, { model: MODEL });
    const second = await exchange(mcp.services, mcp.alice.id, { ...next, settings });
    const last = followUp('Still there? [[echo]]', second, { model: MODEL });
    await exchange(mcp.services, mcp.alice.id, { ...last, settings });
    expect(offeredFor('Still there?').at(-1)).toContain('mcp_many_push_files');
  });
});

describe('the tools that a person chose', () => {
  it('are switched together, and fewer of them need no search', async () => {
    const { api } = mcp.bob;
    await api.mcp.refresh({ id: 'many' });
    const none = await api.mcp.setTools({ id: 'many', tools: names, isOn: false });
    expect(none.tools.filter(({ isOn }) => isOn)).toEqual([]);
    expect(await mcp.toolsOf(mcp.bob, 'many')).toEqual({ names: [], problems: [] });
    await api.mcp.setTools({ id: 'many', tools: ['push_files', 'search_thing_3'], isOn: true });
    const chosen = { names: ['mcp_many_push_files', 'mcp_many_search_thing_3'], problems: [] };
    expect(await mcp.toolsOf(mcp.bob, 'many')).toEqual(chosen);
    await api.mcp.refresh({ id: 'many' });
    expect(await mcp.toolsOf(mcp.bob, 'many')).toEqual(chosen);
    const { hidden } = await mcp.services.deps.tools.for(choosing(mcp.bob.id, ['mcp:many']));
    expect(hidden.size()).toBe(0);
    const all = await api.mcp.setTools({ id: 'many', tools: names, isOn: true });
    expect(all.tools.filter(({ isOn }) => isOn)).toHaveLength(117);
    expect((await mcp.toolsOf(mcp.alice, 'many')).names).toHaveLength(117);
  });

  it('are refused where there are too many names, or the server is unknown', async () => {
    const { api } = mcp.bob;
    const tooMany = Array.from({ length: 501 }, (_, n) => `t${n}`);
    await expect(api.mcp.setTools({ id: 'many', tools: tooMany, isOn: true })).rejects.toThrow();
    await expect(api.mcp.setTools({ id: 'other', tools: ['a'], isOn: true })).rejects.toThrow();
  });
});

describe('the tools that an assistant uses of a server', () => {
  it.each([
    [
      ['push_files', 'get_thing_07'],
      ['mcp_many_get_thing_07', 'mcp_many_push_files'],
    ],
    [[], []],
  ])('are those of its own choice: %j', async (chosen, offered) => {
    const named = { name: 'mcp:many', parameters: { tools: chosen } };
    const { deps } = mcp.services;
    const made = await mcp.alice.api.assistants.create({
      model: 'gpt-4',
      tools: [{ type: 'function', function: named }],
    });
    expect(made.tools).toEqual([{ type: 'function', function: named }]);
    const row = { ...made, id: made.assistantId, userId: mcp.alice.id };
    const rules = { capabilities: ['tools'] };
    const { keys } = await findChosenTools(
      { query: deps.db.query, actions: { list: async () => [] }, rules } as never,
      row as never,
      mcp.alice.id,
    );
    const found = await deps.mcp.source.tools(choosing(mcp.alice.id, keys));
    expect(found.tools.map(({ name }) => name)).toEqual(offered);
  });
});
