// Servers whose lists or answers are odd: what is wrong with one tool, or with an answer, is said, and costs no more.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mcpTools } from '@parley/db/tables/tools';
import { users } from '@parley/db/tables/users';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../support/services.ts';
import { choosing } from '../../support/tools/tool-run.ts';
import { openMcp, type OpenMcp } from './open-mcp.ts';

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const lists: Record<string, unknown[]> = {
  faulty: [
    { name: 'good', inputSchema: schema },
    { name: 'untyped', inputSchema: { properties: { a: {} } } },
    { name: 'list', inputSchema: { type: 'array' } },
    { name: 'none' },
    { description: 'Without a name.', inputSchema: schema },
    { name: 'sp\u202eoof', inputSchema: schema },
    { name: 'odd', description: 7, inputSchema: schema, annotations: 'none' },
  ],
  many: Array.from({ length: 120 }, (_, n) => ({ name: `tool${n}`, inputSchema: schema })),
};

const PROGRAM = `console.error('Loading'); console.error('No such database: key-of-the-database'); process.exit(1);`;

let server: Server;
let mcp: OpenMcp;

beforeAll(async () => {
  server = createServer((request, response) => {
    const way = (request.url ?? '').slice(1);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (way === 'page') return response.setHeader('content-type', 'text/html').end('<!doctype html><h1>Hello</h1>');
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { id?: number; method?: string };
      if (id === undefined) return response.writeHead(202).end();
      const about = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'odd', version: '1' },
      };
      const huge = [{ name: 'huge', description: 'x'.repeat(20_000_000), inputSchema: schema }];
      const result = method === 'initialize' ? about : { tools: lists[way] ?? huge };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urls = ['faulty', 'many', 'page', 'huge'].map((way) => [way, { url: `${address}/${way}` }]);
  const broken = { command: process.execPath, args: ['-e', PROGRAM], env: { KEY: 'key-of-the-database' } };
  const chosen = {
    some: { url: `${address}/many`, includedTools: ['tool1', 'tool119'] },
    most: { url: `${address}/faulty`, filteredTools: ['list', 'none', 'odd'] },
  };
  mcp = await openMcp({ ...Object.fromEntries(urls), ...chosen, broken });
});
afterAll(async () => {
  await mcp.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('a list', () => {
  it("loses tools that can't be used, by name, and keeps its server", async () => {
    const { names, problems } = await mcp.toolsOf(mcp.alice, 'faulty');
    expect(names).toEqual(['mcp_faulty_good', 'mcp_faulty_untyped', 'mcp_faulty_odd']);
    expect(problems).toEqual(['Left out of faulty, since their schemas have faults: list, none.']);
  });

  it('of more tools than are offered at once hides the others, and all of them can be switched', async () => {
    const first = await mcp.services.deps.mcp.source.tools(choosing(mcp.alice.id, ['mcp:many']));
    expect(first.tools.filter(({ isHidden }) => !isHidden)).toHaveLength(50);
    expect([first.tools.length, first.problems]).toEqual([120, []]);
    const { tools } = (await mcp.alice.api.mcp.list()).find(({ id }) => id === 'many') ?? { tools: [] };
    expect(tools).toHaveLength(120);
    const off = tools.slice(0, 71).map(({ name }) => name);
    await mcp.alice.api.mcp.setTools({ id: 'many', tools: off, isOn: false });
    const chosen = await mcp.toolsOf(mcp.alice, 'many');
    expect([chosen.names[0], chosen.names.length, chosen.problems]).toEqual(['mcp_many_tool71', 49, []]);
  });
});

describe('the tools that the operator leaves', () => {
  it('are the only ones that are listed and offered', async () => {
    const some = await mcp.toolsOf(mcp.alice, 'some');
    expect(some).toEqual({ names: ['mcp_some_tool1', 'mcp_some_tool119'], problems: [] });
    const most = await mcp.toolsOf(mcp.alice, 'most');
    expect(most).toEqual({ names: ['mcp_most_good', 'mcp_most_untyped'], problems: [] });
    const listed = (await mcp.alice.api.mcp.list()).find(({ id }) => id === 'some');
    expect(listed?.tools.map(({ name }) => name)).toEqual(['tool1', 'tool119']);
  });

  it('are those of today, also where a list of yesterday is kept', async () => {
    const about = { description: '', parameters: schema, isReadOnly: true };
    const tools = ['tool1', 'tool2'].map((name) => ({ name, ...about }));
    const kept = and(eq(mcpTools.userId, mcp.alice.id), eq(mcpTools.server, 'some'));
    await mcp.services.deps.db.query.update(mcpTools).set({ tools }).where(kept);
    expect((await mcp.toolsOf(mcp.alice, 'some')).names).toEqual(['mcp_some_tool1']);
  });
});

describe('an answer', () => {
  it('says that the address may be wrong when it is a page', async () => {
    expect((await mcp.toolsOf(mcp.alice, 'page')).problems).toEqual([
      'page answers with a page, not by the Model Context Protocol. Its address may be wrong.',
    ]);
  });

  it('says when it is too long', async () => {
    expect((await mcp.toolsOf(mcp.alice, 'huge')).problems).toEqual(['The answer of huge is too long.']);
  });
});

describe('a program that does not start', () => {
  it('tells the administrator what it said, without the values of its variables, and nobody else', async () => {
    expect((await mcp.toolsOf(mcp.alice, 'broken')).problems).toEqual(['broken cannot be reached.']);
    const logOf = async (person: Person) => (await person.api.mcp.list()).find(({ id }) => id === 'broken')?.log;
    await mcp.services.deps.db.query.update(users).set({ role: 'ADMIN' }).where(eq(users.id, mcp.alice.id));
    expect(await logOf(mcp.alice)).toEqual(['Loading', 'No such database: …']);
    expect(await logOf(mcp.bob)).toBeUndefined();
  });
});
