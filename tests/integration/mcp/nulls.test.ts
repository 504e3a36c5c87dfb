// Servers that write null for what they leave out, as those do whose language has no other word for it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMcp, type OpenMcp } from './open-mcp.ts';
import { plainProgram, startPlainServer, usual, type Answers, type PlainServer, type Wire } from './plain-server.ts';

const about = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
const initialize = (result: object): Answers => ({ initialize: { result: { ...about, ...result } } });
const tool = (fields: object): Answers => ({
  'tools/list': { result: { tools: [{ name: 'say', inputSchema: { type: 'object' }, ...fields }] } },
});
const schema = (fields: object): Answers => tool({ inputSchema: { type: 'object', ...fields } });
const called = (result: object): Answers => ({ 'tools/call': { result } });
const content = (fields: object): Answers => called({ content: [{ type: 'text', text: 'said', ...fields }] });

const NO_SUCH = 'The tool failed.';

/** What a server answers, and what its tool says where that is not `said`. */
const cases: Record<string, [Answers, string?]> = {
  nothing: [{}],
  instructions: [initialize({ instructions: null })],
  'a capability': [initialize({ capabilities: { tools: {}, logging: null, experimental: null } })],
  'the capability of tools': [initialize({ capabilities: { tools: null } })],
  'a part of a capability': [initialize({ capabilities: { tools: { listChanged: null } } })],
  'all capabilities': [initialize({ capabilities: null })],
  'the title of the server': [initialize({ serverInfo: { name: 'x', version: '1', title: null, icons: null } })],
  'the version of the server': [initialize({ serverInfo: { name: 'x', version: null } })],
  'the server': [initialize({ serverInfo: null })],
  'meta of a result': [initialize({ _meta: null })],
  'an error beside a result': [{ initialize: { ...usual.initialize, error: null } }],
  'a method and parameters beside a result': [{ initialize: { ...usual.initialize, method: null, params: null } }],
  'a cursor': [
    { 'tools/list': { result: { ...(usual['tools/list']?.result as object), nextCursor: null, _meta: null } } },
  ],
  'texts of a tool': [tool({ title: null, description: null, icons: null, _meta: null })],
  'annotations of a tool': [tool({ annotations: null, outputSchema: null, execution: null })],
  'a hint of a tool': [tool({ annotations: { title: null, readOnlyHint: null, destructiveHint: null } })],
  'the schema of a tool without arguments': [tool({ inputSchema: null })],
  'keywords of a schema': [schema({ properties: null, required: null, $defs: null, additionalProperties: null })],
  'the type of a schema': [schema({ type: null })],
  'a reference in a schema': [
    schema({ properties: { text: { $ref: null, type: 'string', const: null, enum: null } } }),
  ],
  'the schema of a property': [schema({ properties: { text: null } })],
  'an entry of the list of tools': [
    { 'tools/list': { result: { tools: [null, { name: 'say', inputSchema: { type: 'object' } }] } } },
  ],
  'fields of a content block': [content({ annotations: null, _meta: null })],
  'fields of annotations of a content block': [content({ annotations: { audience: null, priority: null } })],
  'fields of a result': [called({ content: [{ type: 'text', text: 'said' }], structuredContent: null, isError: null })],
  'a block': [called({ content: [null, { type: 'text', text: 'said' }] })],
  'the text of a block': [called({ content: [{ type: 'text', text: null }] }), 'Done.'],
  'the content': [called({ content: null, structuredContent: { text: 'said' } }), '{"text":"said"}'],
  'the content of an error': [called({ content: null, isError: true }), NO_SUCH],
  'the result': [{ 'tools/call': { result: null } }, 'Done.'],
  'the text of a resource': [
    called({ content: [{ type: 'resource', resource: { uri: 'a:b', mimeType: null, text: 'said', blob: null } }] }),
    'a:b\nsaid',
  ],
  'fields of a link': [
    called({ content: [{ type: 'resource_link', name: 'n', uri: 'a:b', title: null, description: null, size: null }] }),
    'n: a:b',
  ],
  'the data of an error': [{ 'tools/call': { error: { code: -32_602, message: 'Bad', data: null } } }, 'x: Bad'],
  'a result beside an error': [{ 'tools/call': { error: { code: -32_602, message: 'Bad' }, result: null } }, 'x: Bad'],
  'the code of an error': [{ 'tools/call': { error: { code: null, message: 'Bad' } } }, 'x: Bad'],
};

const names = Object.keys(cases);
const wires: Wire[] = ['json', 'event', 'lines'];
const idOf = (name: string, wire: Wire) => `s${names.indexOf(name)}-${wire}`;

let server: PlainServer;
let mcp: OpenMcp;

beforeAll(async () => {
  const rows = Object.entries(cases).map(([name, [answers]]) => [String(names.indexOf(name)), answers] as const);
  server = await startPlainServer(Object.fromEntries(rows));
  const urls = names.flatMap((name) =>
    wires.map(
      (wire) => [idOf(name, wire), { url: server.urlOf(String(names.indexOf(name)), wire), timeout: 5000 }] as const,
    ),
  );
  const program = plainProgram({ ...cases['all capabilities']?.[0], ...cases['fields of a result']?.[0] });
  const values = plainProgram(called({ content: null, structuredContent: { rows: [1, null], of: null } }));
  mcp = await openMcp({ ...Object.fromEntries(urls), program, values });
});
afterAll(async () => {
  await mcp.close();
  await server.close();
});

async function said(id: string): Promise<string> {
  const { names: offered, problems } = await mcp.toolsOf(mcp.alice, id);
  expect(problems).toEqual([]);
  const outcome = await mcp.call(mcp.alice, id, offered[0] ?? '');
  return 'text' in outcome ? outcome.text : outcome.type;
}

describe.each(wires)('a server that answers by %s, with null for', (wire) => {
  it.each(names)('%s, is used', async (name) => {
    const id = idOf(name, wire);
    expect(await said(id)).toBe((cases[name]?.[1] ?? 'said').replace('x:', `${id}:`));
  });
});

it('a program that writes null for what it leaves out is used', async () => {
  expect(await said('program')).toBe('said');
});

it('a null inside of what a tool answers stays', async () => {
  expect(await said('values')).toBe('{"rows":[1,null],"of":null}');
});
