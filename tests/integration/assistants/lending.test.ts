// What an assistant that another shares may use for its reader: its owner's files, actions and tool servers.
import { randomUUID } from 'node:crypto';
import { users } from '@parley/db/tables/users';
import { connections, mcpTools } from '@parley/db/tables/tools';
import { FAKE_API, startFakeApi, type FakeApi } from '@parley/scripts/fake-tools/api';
import { startFakeMcpServer, type FakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import type { Assistant } from '@parley/schema/assistants/assistants';
import type { CreateAssistant } from '@parley/schema/assistants/assistant-inputs';
import { isLoopCall, messageText } from '@parley/schema/messages/messages';
import { grantTool, isGranted } from '@parley/server/tools/grants';
import type { Tool, ToolOutcome } from '@parley/server/tools/tool';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { addFile, awaitState } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { callTool, choosing } from '../../support/tools/tool-run.ts';
import { oauthOf, petsInput } from '../actions/pets.ts';

let services: TestServices;
let api: FakeApi;
let open: FakeMcpServer;
let locked: FakeMcpServer;
let closed: FakeMcpServer;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  api = await startFakeApi();
  open = await startFakeMcpServer();
  locked = await startFakeMcpServer({ auth: { type: 'header', name: 'X-Key', value: 'of alice' } });
  closed = await startFakeMcpServer({ auth: { type: 'oauth' } });
  services = await openTestServices({
    OPENAI_MODELS: 'fake:echo,fake:tool-steps',
    MCP_USER_SERVERS: 'on',
    EGRESS_ALLOWED_HOSTS: `${api.host},127.0.0.1`,
    TITLE_CONVO: 'false',
  });
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(async () => {
  await services.close();
  await Promise.all([api, open, locked, closed].map((one) => one.close()));
});

let shared: Assistant;

beforeEach(async () => {
  shared = await alice.api.assistants.create({ model: 'fake:tool-steps', name: 'Guide', isShared: true });
});

describe('files of the owner', () => {
  it('are searched for the reader and cited by name and quote, and no byte of them is theirs', async () => {
    const fileId = await addFile(services, alice, 'The red kites nest 23 metres above the mill.', {
      name: 'birds.txt',
    });
    await awaitState(services, fileId, 'ready');
    const tools: CreateAssistant['tools'] = [{ type: 'retrieval' }, { type: 'code_interpreter' }];
    await change({ fileIds: [fileId], tools });
    const text = 'How high do kites nest?\ncall file_search {"query":"kites nest"}';
    const { reply } = await exchange(services, bob.id, asking(text));
    expect(reply.context?.files).toMatchObject([{ fileId, shown: 'passages' }]);
    expect(messageText(reply)).toContain('23 metres');
    const cited = reply.parts.flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : []));
    expect(cited[0]).toMatchObject({ name: 'birds.txt', quote: expect.stringContaining('23 metres') });
    // The code interpreter, which would hand out the bytes, does not know of them.
    const { body } = await services.provider.waitForRequest(isAskedAbout('How high do kites nest'));
    const { tools: told } = Object(body) as { tools: unknown };
    expect(JSON.stringify(told)).toContain('file_search');
    expect(JSON.stringify(told)).not.toContain('birds.txt');
    await expect(bob.api.files.passage({ fileId, n: cited[0]?.n ?? 0 })).rejects.toThrow('not_found');
    expect((await bob.api.files.list()).files).toEqual([]);
  });

  it('of its projects and sets are searched as they are at each question, and lent as its own are', async () => {
    const ready = async (text: string, name: string) => {
      const fileId = await addFile(services, alice, text, { name });
      await awaitState(services, fileId, 'ready');
      return fileId;
    };
    const folder = await alice.api.folders.create({ id: randomUUID(), name: 'Mill' });
    const set = { id: randomUUID(), name: 'Weir' };
    const inSet = await ready('The weir was closed in 1921.', 'weir.txt');
    await alice.api.files.sets.save({ ...set, fileIds: [inSet] });
    const sources = [
      { kind: 'folder', id: folder.id },
      { kind: 'set', id: set.id },
    ] as const;
    await change({ sources: [...sources], tools: [{ type: 'retrieval' }] });
    const namesAfter = async (text: string, person = bob) => {
      const { reply } = await exchange(services, person.id, asking(text));
      return reply.context?.files?.map(({ name }) => name).toSorted();
    };
    expect(await namesAfter('When was it closed?')).toEqual(['weir.txt']);
    const inFolder = await ready('The mill has a green door.', 'mill.txt');
    // In both, it is one file.
    await alice.api.folders.setFiles({ folderId: folder.id, fileIds: [inFolder, inSet] });
    expect(await namesAfter('Which colour is the door?')).toEqual(['mill.txt', 'weir.txt']);
    expect(await namesAfter('Which colour is it for me?', alice)).toEqual(['mill.txt', 'weir.txt']);
    expect((await bob.api.assistants.shared()).map((one) => one.sources)).toContainEqual([]);
    await alice.api.files.sets.remove({ id: set.id });
    await alice.api.folders.setFiles({ folderId: folder.id, fileIds: [] });
    expect(await namesAfter('And now?')).toBeUndefined();
  });

  it('of projects and sets of other people are none', async () => {
    const fileId = await addFile(services, alice, 'Otters sleep in the reeds.', { name: 'reeds.txt' });
    await awaitState(services, fileId, 'ready');
    const folder = await alice.api.folders.create({ id: randomUUID(), name: 'Hers' });
    await alice.api.folders.setFiles({ folderId: folder.id, fileIds: [fileId] });
    await alice.api.folders.setAccess({ id: folder.id, to: { to: 'user', userId: bob.id }, level: 'edit' });
    const linked = await bob.api.folders.addShared({ id: randomUUID(), ownerId: alice.id, folderId: folder.id });
    const his = await bob.api.assistants.create({
      model: 'fake:tool-steps',
      tools: [{ type: 'retrieval' }],
      sources: [folder.id, linked.id].map((id) => ({ kind: 'folder' as const, id })),
    });
    const asked = question('Where do otters sleep?', {
      endpoint: 'assistants',
      model: null,
      settings: { assistant_id: his.assistantId },
    });
    const { reply } = await exchange(services, bob.id, asked);
    expect(reply.context?.files).toBeUndefined();
  });

  it('are closed at once when they are shared no more, also to a reply that goes on', async () => {
    const fileId = await addFile(services, alice, 'Otters sleep in the reeds by the weir.', { name: 'otters.txt' });
    await awaitState(services, fileId, 'ready');
    await change({ fileIds: [fileId], tools: [{ type: 'retrieval' }] });
    const first = await exchange(services, bob.id, asking('Where do otters sleep?'));
    await change({ isShared: false });
    const more = { endpoint: 'assistants', model: null, settings: { assistant_id: shared.assistantId } };
    await expect(bob.api.messages.ask(followUp('And now?', first, more))).rejects.toThrow('not_found');
    await change({ isShared: true });
    await services.deps.db.query
      .update(users)
      .set({ bannedUntil: '2100-01-01T00:00:00Z' })
      .where(eq(users.id, alice.id));
    await expect(bob.api.messages.ask(followUp('And now?', first, more))).rejects.toThrow('not_found');
    await services.deps.db.query.update(users).set({ bannedUntil: null }).where(eq(users.id, alice.id));
  });
});

describe('actions of the owner', () => {
  const saveAction = (input = petsInput(api)) =>
    alice.api.assistants.saveAction({ assistantId: shared.assistantId, ...input } as never);

  it('are called with the key of the owner, after the reader has been asked', async () => {
    const auth = { type: 'service_http', authorizationType: 'custom', customAuthHeader: FAKE_API.header } as const;
    await saveAction(petsInput(api, auth));
    const tool = await lentTool('listPets_action_');
    expect(tool).toMatchObject({ asks: 'first', isLent: true });
    const { reply } = await exchange(services, bob.id, asking(`call ${tool.name} {}`));
    const [waiting] = reply.parts.filter(isLoopCall);
    expect(waiting?.call).toMatchObject({ state: 'waiting', needs: 'approval' });
    expect(await call(tool)).toMatchObject({ type: 'done', text: expect.stringContaining('Rex') });
    expect(JSON.stringify(reply)).not.toContain(FAKE_API.key);
    expect(await bob.api.assistants.actions()).toEqual([]);
    expect(JSON.stringify(await bob.api.assistants.shared())).not.toContain('listPets');
  });

  it('ask also a client that cannot show the question', async () => {
    await saveAction();
    const tool = await lentTool('listPets_action_');
    const asked = asking(`call ${tool.name} {}`);
    await services.deps.askService.ask(bob.id, asked, { callsUnasked: true });
    await expect
      .poll(async () => {
        const thread = await bob.api.messages.list({ conversationId: asked.conversationId });
        return thread.at(-1)?.parts.filter(isLoopCall)[0]?.call.state;
      })
      .toBe('waiting');
  });

  it('ask again when the owner leads them elsewhere', async () => {
    await saveAction();
    const tool = await lentTool('listPets_action_');
    await grantTool(services.deps.db.query, bob.id, tool);
    expect(await isGranted(services.deps.db.query, bob.id, tool)).toBe(true);
    const moved = { ...tool, does: 'GET elsewhere.example/pets' };
    expect(await isGranted(services.deps.db.query, bob.id, moved)).toBe(false);
  });

  it("use the reader's sign-in when people sign in to them", async () => {
    const { action } = await saveAction(petsInput(api, oauthOf(api, { grant: 'authorization_code' })));
    const service = `action:${action.id}`;
    await services.deps.db.query.insert(connections).values({ userId: alice.id, service, encrypted: 'hers' });
    const outcome = await call(await lentTool('listPets_action_'));
    expect(outcome).toMatchObject({
      type: 'needs',
      what: 'sign_in',
      url: expect.stringContaining('/api/connections/start'),
    });
    const hers = and(eq(connections.userId, alice.id), eq(connections.service, service));
    expect(await services.deps.db.query.$count(connections, hers)).toBe(1);
  });

  it('stop in the middle of an answer when the assistant is shared no more', async () => {
    await saveAction();
    const tool = await lentTool('listPets_action_');
    await change({ isShared: false });
    expect(await call(tool)).toEqual({ type: 'failed', text: 'The owner of this assistant shares it no more.' });
  });

  it("of another assistant can't be named by the reader", async () => {
    const { action } = await saveAction();
    const other = await alice.api.assistants.create({ model: 'fake:tool-steps', isShared: true });
    const settings = { assistant_id: other.assistantId, tools: [`action:${action.id}`] };
    const { assistant, endpoint } = await responder(settings);
    const keys = [...(endpoint.responder?.toolKeys ?? [])];
    const { tools, problems } = await services.deps.tools.for({ ...choosing(bob.id, keys), lender: assistant?.lender });
    expect([...tools.keys()]).toEqual([]);
    expect(problems).toMatchObject([{ text: 'This action no longer exists.' }]);
  });
});

describe('tool servers of the owner', () => {
  const add = async (fake: FakeMcpServer, over: object = {}) => {
    const { id } = await alice.api.mcp.add({ name: 'notes', url: fake.url, auth: 'none', ...over });
    await change({ tools: [`mcp:${id}`] });
    return id;
  };

  it('are used after a question when they take no key, and their address stays unknown', async () => {
    const id = await add(open);
    const tool = await lentTool('mcp_notes_add');
    expect(tool).toMatchObject({ isLent: true, asks: 'first' });
    expect(await call(tool, { a: 2, b: 3 })).toMatchObject({ type: 'done', text: expect.stringContaining('5') });
    await expect(bob.api.mcp.refresh({ id })).rejects.toThrow('not_found');
    expect(await bob.api.mcp.list()).toEqual([]);
  });

  it('leave nothing with a reader when they are removed', async () => {
    const id = await add(open);
    await lentTool('mcp_notes_add');
    const known = () => services.deps.db.query.$count(mcpTools, eq(mcpTools.server, id));
    expect(await known()).toBe(2);
    await alice.api.mcp.remove({ id });
    expect(await known()).toBe(0);
  });

  it("are lent to no one when they take the owner's key, and the reply says what to do", async () => {
    await add(locked, { auth: 'header', header: { name: 'X-Key', value: 'of alice' } });
    const { tools, problems } = await offered();
    expect([...tools.keys()]).toEqual([]);
    expect(problems).toMatchObject([{ text: expect.stringContaining('takes a key of your own') }]);
    const own = {
      name: 'mine',
      url: locked.url,
      auth: 'header' as const,
      header: { name: 'X-Key', value: 'of alice' },
    };
    const { id } = await bob.api.mcp.add(own);
    expect((await offered()).tools.size).toBeGreaterThan(0);
    await bob.api.mcp.remove({ id });
  });

  it('ask the reader to sign in when people sign in to them', async () => {
    const id = await add(closed, { auth: 'oauth' });
    const [tool] = (await offered()).tools.values();
    const outcome = tool && (await call(tool));
    expect(outcome).toMatchObject({ type: 'needs', what: 'sign_in', url: expect.stringContaining(id) });
  });

  it('of another assistant cannot be named by the reader', async () => {
    const id = await add(open);
    await change({ tools: [] });
    const { assistant, endpoint } = await responder({ assistant_id: shared.assistantId, tools: [`mcp:${id}`] });
    const keys = [...(endpoint.responder?.toolKeys ?? [])];
    const { tools, problems } = await services.deps.tools.for({ ...choosing(bob.id, keys), lender: assistant?.lender });
    expect([...tools.keys()]).toEqual([]);
    expect(problems).toMatchObject([{ text: 'This tool server no longer exists.' }]);
  });
});

const change = (over: object) => alice.api.assistants.update({ assistantId: shared.assistantId, ...over });

const asking = (text: string) =>
  question(text, { endpoint: 'assistants', model: null, settings: { assistant_id: shared.assistantId } });

function responder(settings: Record<string, unknown> = { assistant_id: shared.assistantId }) {
  const { endpoints, findResponder } = services.deps;
  return findResponder(bob.id, endpoints.assert('assistants'), { model: null, settings });
}

/** What bob is offered. */
async function offered() {
  const { assistant } = await responder();
  const { keys = [], lender } = assistant ?? {};
  return services.deps.tools.for({ ...choosing(bob.id, keys), lender });
}

async function lentTool(beginning: string): Promise<Tool> {
  const { tools } = await offered();
  const found = [...tools.values()].find(({ name }) => name.startsWith(beginning));
  if (!found) throw new Error(`There is no ${beginning} among ${[...tools.keys()].join(', ')}`);
  return found;
}

function call(tool: Tool, args: Record<string, unknown> = {}): Promise<ToolOutcome> {
  return callTool(tool, args, choosing(bob.id, []));
}
