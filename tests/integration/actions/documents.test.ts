// Long OpenAPI documents, and the choice from their operations: over real HTTP, as the editor and REST clients send them.
import { actions } from '@parley/db/tables/assistants';
import { SPEC_BYTES_MAX, type ActionWithDocument, type ParsedSpec } from '@parley/schema/assistants/actions';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ASSISTANTS_API_KEY: 'fake' } });
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

/** A document of so many operations, `look0`, `look1` ..., filled up to a length. */
function documentOf(count: number, bytes = 0, name = 'look'): string {
  const paths = Array.from({ length: count }, (_, n) => [`/${n}`, { get: { operationId: `${name}${n}` } }] as const);
  const document = { openapi: '3.1.0', servers: [{ url: 'https://birds.example' }], paths: Object.fromEntries(paths) };
  const short = JSON.stringify({ ...document, 'x-rest': '' });
  return JSON.stringify({ ...document, 'x-rest': 'x'.repeat(Math.max(0, bytes - short.length)) });
}

interface Failure {
  error: { data: { httpStatus: number; reason: { type: string; text: string } } };
}

/** What REST clients read of an action. */
interface RestAction {
  action_id: string;
  metadata: { raw_spec: string };
}

async function send(method: string, path: string, input: unknown): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { ...alice.headers, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(input) }),
  });
  return response.json();
}

async function call<T>(name: string, input: unknown): Promise<T> {
  const told = (await send('POST', `/trpc/${name}`, input)) as { result: { data: T } };
  if (!told.result) throw new Error(JSON.stringify(told).slice(0, 500));
  return told.result.data;
}

async function query<T>(name: string, input: unknown): Promise<T> {
  const told = await send('GET', `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`, null);
  return (told as { result: { data: T } }).result.data;
}

const refused = async (name: string, input: unknown) => {
  const { error } = (await send('POST', `/trpc/${name}`, input)) as Failure;
  return [error.data.httpStatus, error.data.reason.text];
};

async function createAssistant(): Promise<string> {
  const { assistantId } = await call<Assistant>('assistants.create', { model: 'gpt-4', endpoint: null });
  return assistantId;
}

const save = (assistantId: string, input: object) =>
  call<{ assistant: Assistant; action: { id: string } }>('assistants.saveAction', {
    assistantId,
    auth: { type: 'none' },
    ...input,
  });

const functionsOf = ({ tools }: Assistant) =>
  tools.flatMap((tool) => (tool.type === 'function' ? tool.function.name.replace('_action_birds.example', '') : []));

describe('a document of ten megabytes', () => {
  it('is read, saved with what is chosen of it, and given back whole, but not with the list', async () => {
    const rawSpec = documentOf(340, SPEC_BYTES_MAX);
    expect(Buffer.byteLength(rawSpec)).toBe(SPEC_BYTES_MAX);
    const parsed = await call<ParsedSpec>('actions.parse', { rawSpec });
    expect(parsed).toMatchObject({ status: 'valid', domain: 'birds.example', warnings: [] });
    expect(parsed.operations).toHaveLength(340);

    const assistantId = await createAssistant();
    const chosen = ['look3', 'look200'];
    const { assistant, action } = await save(assistantId, { rawSpec, operations: chosen });
    expect(functionsOf(assistant)).toEqual(chosen);
    const listed = await query<ActionWithDocument[]>('actions.list', { assistantId });
    expect(listed).toMatchObject([{ id: action.id, chosen, operations: [{ name: 'look3' }, { name: 'look200' }] }]);
    expect(JSON.stringify(listed).length).toBeLessThan(2_000);
    const read = await query<ActionWithDocument>('actions.get', { actionId: action.id });
    expect(read.rawSpec === rawSpec).toBe(true);
    await call('assistants.removeAction', { assistantId, actionId: action.id });
  });

  it('is saved by REST clients, who have it in their list', async () => {
    const rawSpec = documentOf(3, 5 * 1024 * 1024);
    const assistantId = await createAssistant();
    const path = `/api/assistants/actions/${assistantId}`;
    const metadata = { domain: 'birds.example', raw_spec: rawSpec };
    const saved = await send('POST', path, { functions: [{}], metadata, model: 'gpt-4' });
    const known = { assistant_id: assistantId, metadata: { domain: 'birds.example' } };
    expect(saved).toMatchObject([{}, {}, known]);
    const listed = (await send('GET', '/api/assistants/actions', null)) as RestAction[];
    expect(listed).toMatchObject([known]);
    expect(listed[0]?.metadata.raw_spec === rawSpec).toBe(true);
    // What a client leaves out stays.
    const again = { functions: [{}], metadata: { domain: 'birds.example' }, model: 'gpt-4' };
    const [, , action] = (await send('POST', path, {
      ...again,
      action_id: listed[0]?.action_id,
    })) as [unknown, unknown, RestAction];
    expect(action.metadata.raw_spec === rawSpec).toBe(true);
  });

  it('is refused when it is longer, or when the documents of its person are too long together', async () => {
    const assistantId = await createAssistant();
    const longer = { rawSpec: documentOf(1, SPEC_BYTES_MAX + 1) };
    const tooLong = [422, expect.stringContaining('longer than 10 MB')];
    expect(await refused('actions.parse', longer)).toEqual(tooLong);
    const { action } = await save(assistantId, { rawSpec: documentOf(1) });
    await server.db.query
      .update(actions)
      .set({ document: sql`repeat('x', ${50 * 1024 * 1024}::int)` })
      .where(sql`${actions.id} = ${action.id}`);
    const another = { assistantId, rawSpec: documentOf(1), auth: { type: 'none' } };
    expect(await refused('assistants.saveAction', another)).toEqual([
      409,
      'The OpenAPI documents of an account can have 50 MB together',
    ]);
    // Its own length counts no more when it is replaced.
    await save(assistantId, { actionId: action.id, rawSpec: documentOf(1) });
  });
});

describe('the operations of an action', () => {
  it('are the first hundred where nobody has chosen, and new ones join them', async () => {
    const assistantId = await createAssistant();
    const { assistant, action } = await save(assistantId, { rawSpec: documentOf(340) });
    expect(functionsOf(assistant)).toHaveLength(100);
    const few = await save(assistantId, { actionId: action.id, rawSpec: documentOf(2), operations: null });
    expect(functionsOf(few.assistant)).toEqual(['look0', 'look1']);
    const more = await save(assistantId, { actionId: action.id, rawSpec: documentOf(3) });
    expect(functionsOf(more.assistant)).toEqual(['look0', 'look1', 'look2']);
  });

  it('stay chosen by name when the document changes, until it has none of them', async () => {
    const assistantId = await createAssistant();
    const { action } = await save(assistantId, { rawSpec: documentOf(5), operations: ['look1', 'look4'] });
    const ref = { actionId: action.id };
    expect(functionsOf((await save(assistantId, { ...ref, rawSpec: documentOf(3) })).assistant)).toEqual(['look1']);
    const grown = await save(assistantId, { ...ref, rawSpec: documentOf(340) });
    expect(functionsOf(grown.assistant)).toEqual(['look1', 'look4']);
    const other = await save(assistantId, { ...ref, rawSpec: documentOf(2, 0, 'hear') });
    expect(functionsOf(other.assistant)).toEqual(['hear0', 'hear1']);
    expect(await query('actions.get', ref)).toMatchObject({ chosen: null });
  });

  it('may be neither too many nor missing: the document is refused', async () => {
    const input = { assistantId: await createAssistant(), rawSpec: documentOf(340), auth: { type: 'none' } };
    const names = Array.from({ length: 101 }, (_, n) => `look${n}`);
    const tooMany = expect.stringContaining('At most 100 operations of an action can be on');
    expect(await refused('assistants.saveAction', { ...input, operations: names })).toEqual([422, tooMany]);
    const missing = 'None of the chosen operations is in the OpenAPI spec.';
    for (const operations of [[], ['gone']])
      expect(await refused('assistants.saveAction', { ...input, operations })).toEqual([422, missing]);
  });
});

it('a document that an earlier version saved in the settings is still given back', async () => {
  const assistantId = await createAssistant();
  const rawSpec = documentOf(1);
  const { action } = await save(assistantId, { rawSpec });
  const inSettings = sql`${actions.settings} || jsonb_build_object('rawSpec', ${actions.document})`;
  await server.db.query
    .update(actions)
    .set({ settings: inSettings, document: null })
    .where(sql`${actions.id} = ${action.id}`);
  expect(await query('actions.get', { actionId: action.id })).toMatchObject({ rawSpec });
  expect(await query('actions.list', { assistantId })).toEqual([expect.not.objectContaining({ rawSpec })]);
  const changed = documentOf(2);
  await save(assistantId, { actionId: action.id, rawSpec: changed });
  expect(await query('actions.get', { actionId: action.id })).toMatchObject({ rawSpec: changed });
});
