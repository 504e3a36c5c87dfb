// Tools of MCP servers, over real HTTP with the official server and over the standard streams of a second real server.
import { fileURLToPath } from 'node:url';
import { startFakeMcpServer, type FakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import { HUGE_CHARS } from '@parley/scripts/fake-tools/mcp-tools';
import { messageText } from '@parley/schema/messages/messages';
import { createEncryption } from '@parley/server/keys/encryption';
import { createMcp } from '@parley/server/mcp/mcp';
import { createEgress } from '@parley/server/platform/egress';
import { grantTool, isGranted } from '@parley/server/tools/grants';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolSourceContract } from '../../contracts/tool-source.ts';
import { exchange, question } from '../../support/exchange.ts';
import { callTool, choosing, toolOf } from '../../support/tools/tool-run.ts';
import { openMcp, reportsOf, type OpenMcp } from './open-mcp.ts';

const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

let fake: FakeMcpServer;
let locked: FakeMcpServer;
let mcp: OpenMcp;

beforeAll(async () => {
  fake = await startFakeMcpServer();
  locked = await startFakeMcpServer({ auth: { type: 'header', name: 'X-Key', value: 'open sesame' } });
  const servers = {
    open: { url: fake.url },
    trusted: { url: fake.url, trusted: true },
    brief: { url: fake.url, timeout: 300 },
    locked: { url: locked.url, headers: { 'X-Key': 'open sesame' } },
    wrong: { url: locked.url, headers: { 'X-Key': 'guessed' } },
    down: { url: 'http://127.0.0.1:9/mcp' },
    everything: { command: process.execPath, args: [EVERYTHING, 'stdio'], env: { GREETING: 'hello' } },
    missing: { command: '/nowhere/mcp-server' },
  };
  mcp = await openMcp(servers, { EGRESS_ALLOWED_HOSTS: '127.0.0.1', OPENAI_MODELS: 'gpt-4' });
});
afterAll(async () => {
  await mcp.close();
  await fake.close();
  await locked.close();
});

const text = (said: string) => ({ type: 'done', text: said });

describe('a server over HTTP', () => {
  it('offers its tools, described, with schemas without patterns', async () => {
    const { names, problems } = await mcp.toolsOf(mcp.alice, 'open');
    expect(problems).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['mcp_open_echo', 'mcp_open_add', 'mcp_open_changing']));
    const tool = await toolOf(mcp.services.deps.mcp.source, choosing(mcp.alice.id, ['mcp:open']), 'mcp_open_echo');
    expect(tool).toMatchObject({
      description: 'Says the text again.',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      from: { source: 'mcp', id: 'open', label: 'open' },
      asks: 'first',
      isRepeatable: false,
    });
    expect(JSON.stringify(tool.parameters)).not.toContain('a+');
  });

  it('is told with its tools and which of them answers may use', async () => {
    await mcp.bob.api.mcp.refresh({ id: 'open' });
    await mcp.bob.api.mcp.setTools({ id: 'open', tools: ['add'], isOn: false });
    const listed = (await mcp.bob.api.tools.list()).find(({ key }) => key === 'mcp:open');
    expect(listed?.tools).toEqual(
      expect.arrayContaining([
        { name: 'echo', description: 'Says the text again.', isOn: true },
        { name: 'add', description: 'Adds two numbers.', isOn: false },
      ]),
    );
    await mcp.bob.api.mcp.setTools({ id: 'open', tools: ['add'], isOn: true });
  });

  it('answers calls with text, without its schema of answers being compiled', async () => {
    expect(await mcp.call(mcp.alice, 'open', 'mcp_open_echo', { text: 'hi' })).toMatchObject(text('hi'));
    expect(await mcp.call(mcp.alice, 'open', 'mcp_open_add', { a: 2, b: 3 })).toMatchObject(text('5'));
    expect(fake.calls.at(-1)).toEqual({ name: 'add', args: { a: 2, b: 3 } });
  });

  it('keeps its images and documents as files of the person', async () => {
    const image = await mcp.call(mcp.alice, 'open', 'mcp_open_picture');
    expect(image).toMatchObject({
      type: 'done',
      text: 'Here it is:\n[A picture, shown to the reader.]',
      outputs: [{ type: 'image', width: 1, height: 1, mime: 'image/png' }],
    });
    const given = await mcp.call(mcp.alice, 'open', 'mcp_open_document');
    expect(given).toMatchObject({
      type: 'done',
      outputs: [{ type: 'file', name: 'Report.pdf', mime: 'application/pdf', bytes: 19 }],
    });
    expect(given).toMatchObject({ text: expect.stringContaining('file:///notes/a.txt\nA note') });
    const names = (await mcp.alice.api.files.list()).files.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Report.pdf', 'picture.png']));
    expect(await mcp.call(mcp.alice, 'open', 'mcp_open_links')).toMatchObject(
      text('Manual: https://example.com/manual'),
    );
  });

  it('tells how far a call is', async () => {
    expect(await reportsOf(mcp, mcp.alice, 'open', 'mcp_open_steps')).toEqual([
      { progress: 0.5, log: 'Step 1\n' },
      { progress: 1, log: 'Step 2\n' },
    ]);
  });

  it('fails in sentences', async () => {
    const failed = (said: string) => ({ type: 'failed', text: said });
    const call = (name: string) => mcp.call(mcp.alice, 'open', `mcp_open_${name}`);
    expect(await call('failing')).toMatchObject(failed('The printer is on fire'));
    expect(await call('refusing')).toMatchObject({ type: 'failed', text: expect.stringContaining('No such thing') });
    expect(await call('endless')).toMatchObject({ type: 'failed', text: expect.stringContaining('broke off') });
    expect(await mcp.call(mcp.alice, 'brief', 'mcp_brief_slow')).toMatchObject({
      type: 'failed',
      text: expect.stringContaining('brief did not answer within'),
    });
    // It still works.
    expect(await mcp.call(mcp.alice, 'open', 'mcp_open_echo', { text: 'on' })).toMatchObject(text('on'));
  });

  it('cuts what is too long for a model', async () => {
    const tool = await toolOf(mcp.services.deps.mcp.source, choosing(mcp.alice.id, ['mcp:open']), 'mcp_open_huge');
    const answer = await mcp.call(mcp.alice, 'open', 'mcp_open_huge');
    const said = answer.type === 'done' ? answer.text : '';
    expect(said).toContain('characters are left out here');
    expect(said.length).toBeLessThanOrEqual(tool.limits.outputChars);
    expect(said.length).toBeLessThan(HUGE_CHARS);
  });

  it('is left when a person stops the call', async () => {
    const stop = new AbortController();
    const call = mcp.call(mcp.alice, 'open', 'mcp_open_slow', {}, stop.signal);
    const before = fake.abandoned;
    await expect.poll(() => fake.calls.at(-1)?.name).toBe('slow');
    stop.abort('stop');
    expect(await call).toMatchObject({ type: 'failed' });
    await expect.poll(() => fake.abandoned).toBeGreaterThan(before);
  });

  it('gets no sampling from the client', async () => {
    expect(await mcp.call(mcp.alice, 'open', 'mcp_open_asking')).toMatchObject(text('The client refused'));
  });

  it('is believed about its tools only where the operator trusts it', async () => {
    const of = (id: string, tool: string) =>
      toolOf(mcp.services.deps.mcp.source, choosing(mcp.alice.id, [`mcp:${id}`]), `mcp_${id}_${tool}`);
    expect(await of('trusted', 'add')).toMatchObject({ asks: 'never', isRepeatable: true });
    expect(await of('trusted', 'echo')).toMatchObject({ asks: 'first', isRepeatable: false });
    expect(await of('open', 'add')).toMatchObject({ asks: 'first', isRepeatable: false });
  });

  it('is connected to once for each person, and again after it has lost its session', async () => {
    await mcp.call(mcp.bob, 'open', 'mcp_open_echo', { text: 'a' });
    const opened = fake.opened;
    await mcp.call(mcp.bob, 'open', 'mcp_open_echo', { text: 'b' });
    expect(fake.opened).toBe(opened);
    fake.forgetSessions();
    expect(await mcp.call(mcp.bob, 'open', 'mcp_open_echo', { text: 'c' })).toMatchObject(text('c'));
    expect(fake.opened).toBe(opened + 1);
  });

  it('is left after a while', async () => {
    const { config, secrets, db, log, stores } = mcp.services.deps;
    const encryption = createEncryption(secrets.credsKey, []);
    const brief = createMcp({ config, db, log, stores, encryption, egress: createEgress([]), idleMs: 1 });
    const closed = fake.closed;
    const chosen = choosing(mcp.bob.id, ['mcp:open']);
    const echo = await toolOf(brief.source, chosen, 'mcp_open_echo');
    expect(await callTool(echo, { text: 'once' }, chosen)).toMatchObject(text('once'));
    await expect.poll(() => fake.closed).toBeGreaterThan(closed);
    expect(await callTool(echo, { text: 'twice' }, chosen)).toMatchObject(text('twice'));
    await brief.close();
    expect(await callTool(echo, { text: 'never' }, chosen)).toMatchObject({ type: 'failed' });
  });

  it('gives each of many tools a name that fits, and hides those past the fiftieth', async () => {
    fake.moreTools = 60;
    const { tools } = await mcp.alice.api.mcp.refresh({ id: 'open' });
    expect(tools.length).toBeGreaterThan(60);
    const offered = await mcp.services.deps.mcp.source.tools(choosing(mcp.alice.id, ['mcp:open']));
    const names = offered.tools.map(({ name }) => name);
    expect(offered.tools.filter(({ isHidden }) => !isHidden)).toHaveLength(50);
    expect(new Set(names).size).toBeGreaterThan(60);
    expect(names.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
    fake.moreTools = 0;
    await mcp.alice.api.mcp.refresh({ id: 'open' });
  });

  it('asks for a tool again when it has changed', async () => {
    const { source } = mcp.services.deps.mcp;
    const { query } = mcp.services.deps.db;
    const changing = () => toolOf(source, choosing(mcp.alice.id, ['mcp:open']), 'mcp_open_changing');
    expect((await changing()).does).toBe('changing');
    await grantTool(query, mcp.alice.id, await changing());
    expect(await isGranted(query, mcp.alice.id, await changing())).toBe(true);
    fake.description = 'Sends everything to somebody else.';
    await mcp.alice.api.mcp.refresh({ id: 'open' });
    expect(await isGranted(query, mcp.alice.id, await changing())).toBe(false);
  });

  it('is asked for its tools again when it says that they have changed', async () => {
    const { source } = mcp.services.deps.mcp;
    const changing = () => toolOf(source, choosing(mcp.alice.id, ['mcp:open']), 'mcp_open_changing');
    await mcp.alice.api.mcp.refresh({ id: 'open' });
    await mcp.call(mcp.alice, 'open', 'mcp_open_changing', { to: 'Does something new.' });
    await expect.poll(async () => (await changing()).description).toBe('Does something new.');
  });
});

describe('tools that a person switched off', () => {
  it('are not offered to them, and to others still are', async () => {
    await mcp.toolsOf(mcp.bob, 'open');
    const { tools } = await mcp.alice.api.mcp.setTools({ id: 'open', tools: ['echo'], isOn: false });
    expect(tools.find(({ name }) => name === 'echo')).toMatchObject({ isOn: false });
    expect((await mcp.toolsOf(mcp.alice, 'open')).names).not.toContain('mcp_open_echo');
    expect((await mcp.toolsOf(mcp.bob, 'open')).names).toContain('mcp_open_echo');
    await mcp.alice.api.mcp.refresh({ id: 'open' });
    expect((await mcp.toolsOf(mcp.alice, 'open')).names).not.toContain('mcp_open_echo');
    await mcp.alice.api.mcp.setTools({ id: 'open', tools: ['echo'], isOn: true });
    expect((await mcp.toolsOf(mcp.alice, 'open')).names).toContain('mcp_open_echo');
  });
});

describe('servers with a header', () => {
  it('get it', async () => {
    expect(await mcp.call(mcp.alice, 'locked', 'mcp_locked_echo', { text: 'in' })).toMatchObject(text('in'));
  });

  it('that refuse it are a problem, and a reason that is remembered', async () => {
    expect(await mcp.toolsOf(mcp.alice, 'wrong')).toEqual({
      names: [],
      problems: ['wrong refuses access: it wants a sign-in or a header, which is not set up here.'],
    });
    const asked = locked.headers.length;
    await mcp.toolsOf(mcp.alice, 'wrong');
    expect(locked.headers.length).toBe(asked);
    const listed = await mcp.alice.api.mcp.list();
    expect(listed.find(({ id }) => id === 'wrong')).toMatchObject({ reason: { type: 'unauthorized' }, isShared: true });
    expect(JSON.stringify(listed)).not.toContain('guessed');
  });
});

describe('servers that are down', () => {
  it('are a problem, and the tools of others are offered', async () => {
    const chosen = choosing(mcp.alice.id, ['mcp:down', 'mcp:missing', 'mcp:nowhere', 'mcp:open']);
    const { tools, problems } = await mcp.services.deps.mcp.source.tools(chosen);
    expect(tools.length).toBeGreaterThan(5);
    expect(problems.map(({ from, text: said }) => [from.id, said])).toEqual([
      ['down', 'down cannot be reached.'],
      ['missing', 'missing cannot be reached.'],
      ['nowhere', 'This tool server no longer exists.'],
    ]);
  });

  it('say so in the list of tools, as long as none of theirs are known', async () => {
    await mcp.toolsOf(mcp.alice, 'down');
    await mcp.toolsOf(mcp.alice, 'open');
    const listed = await mcp.services.deps.mcp.source.list(mcp.alice.id);
    const told = (id: string) => listed.find(({ key }) => key === `mcp:${id}`)?.unavailable;
    expect(told('down')).toBe('down cannot be reached.');
    expect(told('open')).toBeNull();
  });

  it('cost an answer a notice', async () => {
    const input = question('Please [[calculate:2 + 3]]', {
      model: 'gpt-4',
      settings: { tools: ['calculator', 'mcp:down'] },
    });
    const { reply } = await exchange(mcp.services, mcp.alice.id, input);
    const calls = reply.parts.flatMap((part) => (part.type === 'tool_call' ? [part.call] : []));
    expect(calls).toMatchObject([
      {
        from: { source: 'mcp', id: 'down' },
        state: 'failed',
        output: expect.stringContaining('down cannot be reached.'),
      },
      { name: 'calculator', state: 'done', output: '5' },
    ]);
    expect(messageText(reply)).toContain('That is the result.');
  });

  it('that were there when their tools were offered fail in the call', async () => {
    const leaving = await startFakeMcpServer();
    const { id } = await mcp.alice.api.mcp.add({ name: 'Mine', url: leaving.url, auth: 'none' });
    const { names } = await mcp.toolsOf(mcp.alice, id);
    expect(names).toContain('mcp_Mine_echo');
    await leaving.close();
    expect(await mcp.call(mcp.alice, id, 'mcp_Mine_echo', { text: 'x' })).toMatchObject({ type: 'failed' });
    expect(await mcp.alice.api.mcp.refresh({ id })).toMatchObject({
      reason: { type: 'provider_unavailable', status: null },
    });
    await mcp.alice.api.mcp.remove({ id });
  });
});

describe('a program that communicates over its standard streams', () => {
  it('offers its tools and answers', async () => {
    const { names, problems } = await mcp.toolsOf(mcp.alice, 'everything');
    expect(problems).toEqual([]);
    expect(names).toContain('mcp_everything_echo');
    expect(await mcp.call(mcp.alice, 'everything', 'mcp_everything_echo', { message: 'hi' })).toMatchObject(
      text('Echo: hi'),
    );
    const listed = await mcp.alice.api.mcp.list();
    expect(listed.find(({ id }) => id === 'everything')).toMatchObject({ url: null, isShared: true, auth: 'none' });
  });

  it('has the variables of the yaml file, and none of the server', async () => {
    const answer = await mcp.call(mcp.alice, 'everything', 'mcp_everything_get-env');
    const said = answer.type === 'done' ? answer.text : '';
    expect(said).toContain('GREETING');
    expect(said).not.toContain('DATABASE_URL');
    expect(said).not.toContain('VITEST');
  });

  it('gives images', async () => {
    const answer = await mcp.call(mcp.alice, 'everything', 'mcp_everything_get-tiny-image');
    expect(answer).toMatchObject({ type: 'done', outputs: [{ type: 'image' }] });
  });
});

toolSourceContract('mcp', async () => {
  const opened = await openMcp({ open: { url: fake.url } });
  return {
    source: opened.services.deps.mcp.source,
    userId: opened.alice.id,
    keys: ['mcp:open', 'mcp:nowhere'],
    args: { mcp_open_echo: { text: 'x' }, mcp_open_add: { a: 1, b: 2 } },
    close: opened.close,
  };
});
