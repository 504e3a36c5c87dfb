// What an answer is told of skills, by providers of every kind; and that skills of others instruct the model about the
// answer and open nothing.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { ToolCall } from '@parley/schema/messages/messages';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import type { Chosen } from '@parley/server/tools/tool';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { statementsOf } from '../../support/postgres/statements.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { createTool, sourceOf } from '../../support/tools/agents.ts';
import { COUNT, memoryIn, ORDERS, statesIn } from '../memory/orders.ts';

let services: TestServices;
let alice: Person;
let bob: Person;
let site: Server;
let pageUrl = '';
let compatible: FakeProvider;
let folder = '';
/** The pages that were asked for. */
const opened: string[] = [];
/** Runs while a tool runs. */
let meanwhile: () => Promise<unknown> = async () => undefined;
const pause = createTool('pause', {
  run: async () => {
    await meanwhile();
    return { type: 'done', text: 'Done' };
  },
});

beforeAll(async () => {
  site = createServer((request, response) => {
    opened.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/plain' }).end('A page');
  });
  await new Promise<void>((resolve) => site.listen(0, resolve));
  pageUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/of-the-skill`;
  // The address of the provider is known once the services are open; those of this endpoint are asked beside it.
  compatible = await startFakeProvider();
  folder = mkdtempSync(join(tmpdir(), 'parley-skills-'));
  const endpoint = `{ name: Mine, apiKey: k, baseURL: ${compatible.url}/v1, models: { default: [m] } }`;
  writeFileSync(join(folder, 'parley.yaml'), `version: 1.0.7\nendpoints: { custom: [${endpoint}] }`);
  services = await openTestServices(
    {
      OPENAI_MODELS: 'gpt-4',
      ANTHROPIC_API_KEY: 'fake',
      ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
      GOOGLE_KEY: 'fake',
      GOOGLE_REVERSE_PROXY: '${FAKE_PROVIDER}',
      CONFIG_PATH: join(folder, 'parley.yaml'),
      EGRESS_ALLOWED_HOSTS: '127.0.0.1',
      ASSISTANTS_API_KEY: 'fake',
      ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1',
      ASSISTANTS_MODELS: 'gpt-4',
      TITLE_CONVO: 'false',
      TOOL_CALLS_PER_MINUTE: '10000',
    },
    {},
    undefined,
    [sourceOf(pause)],
  );
  [alice, bob] = await Promise.all([services.as('alice'), services.as('bob')]);
});
afterAll(async () => {
  await services.close();
  await compatible.close();
  rmSync(folder, { recursive: true, force: true });
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});
beforeEach(async () => {
  meanwhile = async () => undefined;
  opened.length = 0;
  await bob.api.memories.clear({});
  await bob.api.memories.setMode({ mode: 'on' });
});

const save = ({ api }: Person, over: object = {}) => {
  const id = randomUUID();
  return api.skills.save({
    id,
    name: `s-${id}`,
    description: 'Writes reports',
    body: 'Begin with a greeting.',
    ...over,
  });
};
const imported = async ({ api }: Person, body: string, name = 'foreign') => {
  const markdown = strToU8(`---\nname: ${name}\ndescription: Of somebody\n---\n${body}`);
  const content = Buffer.from(zipSync({ 'SKILL.md': markdown })).toString('base64');
  return (await api.skills.importZip({ id: randomUUID(), content, fileName: 'x.zip' })).skill;
};

function asking(text: string, tools: readonly string[], over: Partial<AskInput> = {}): AskInput {
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null } as const;
  const said = `${text}\n[[obey]] ${randomUUID()}`;
  return question('', { model: 'gpt-4', settings: { tools: [...tools] }, target: { ...target, text: said }, ...over });
}

const ask = (person: Person, input: AskInput) => exchange(services, person.id, input);
const reading = (name: string, path?: string) => `ORDER read_skill ${JSON.stringify({ name, path })}`;
const callsIn = ({ reply }: FinalEvent): ToolCall[] =>
  reply.parts.flatMap((part) => (part.type === 'tool_call' ? [part.call] : []));
const outputsIn = (final: FinalEvent) => callsIn(final).map(({ output }) => output ?? '');
const toolsFor = (person: Person, keys: string[], over: Partial<Chosen> = {}) =>
  services.deps.tools.for({ userId: person.id, convoId: randomUUID(), keys, files: [], ...over });
const describedFor = async (person: Person, keys: string[], over: Partial<Chosen> = {}) => {
  const { tools, problems } = await toolsFor(person, keys, over);
  return { text: tools.get('read_skill')?.description ?? null, problems: problems.map((one) => one.text) };
};

describe('an answer', () => {
  it('is told one line for each skill that is on, and reads its instructions', async () => {
    const skill = await save(alice);
    const other = await save(alice, { description: 'Not\non' });
    const { text } = await describedFor(alice, [skill.key, other.key]);
    expect(text?.split('\n').slice(1)).toEqual([`- ${skill.name}: Writes reports`, `- ${other.name}: Not on`]);
    const final = await ask(alice, asking(reading(skill.name), [skill.key]));
    expect(outputsIn(final)).toEqual(['Begin with a greeting.']);
    expect(callsIn(final)[0]?.from).toEqual({ source: 'skill', id: 'skill', label: 'Skills' });
  });

  it.each([
    ['OpenAI', { endpoint: 'openAI', model: 'gpt-4' }],
    ['Anthropic', { endpoint: 'anthropic', model: 'claude-3-haiku-20240307' }],
    ['Gemini', { endpoint: 'google', model: 'gemini-2.5-flash' }],
    ['a compatible server', { endpoint: 'Mine', model: 'm' }],
    ['the functions agent of plugins', { endpoint: 'gptPlugins', model: 'gpt-4' }],
  ])('of %s reads a skill', async (_, from) => {
    const { name, key } = await save(alice);
    const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null } as const;
    const text = `${randomUUID()}\ncall read_skill ${JSON.stringify({ name })}\n[[tool-steps]]`;
    const agentOptions = { agent: 'functions', skipCompletion: true, model: 'gpt-4', temperature: 0 } as const;
    const settings = { tools: [key], ...(from.endpoint === 'gptPlugins' && { agentOptions }) };
    const final = await ask(alice, question('', { ...from, settings, target: { ...target, text } }));
    expect(final.reply.reason).toBeNull();
    expect(outputsIn(final)).toEqual(['Begin with a greeting.']);
  });

  it('of the classic agent reads a skill by its text', async () => {
    const { name, key } = await save(alice);
    const agentOptions = { agent: 'classic', skipCompletion: true, model: 'gpt-4', temperature: 0 } as const;
    const text = `${randomUUID()} [[classic:read_skill {"name":"${name}"}]]`;
    const input = { endpoint: 'gptPlugins', model: 'gpt-4', settings: { tools: [key], agentOptions } };
    const final = await ask(alice, question(text, input));
    expect(outputsIn(final)).toEqual(['Begin with a greeting.']);
  });

  it('gets none while an administrator has switched skills off', async () => {
    const { key } = await save(alice);
    const root = await services.as('erin', 'ADMIN');
    await root.api.admin.tools.setOn({ name: 'skills', isOn: false, version: null });
    try {
      expect((await describedFor(alice, [key])).text).toBeNull();
      expect((await alice.api.tools.list()).map((tool) => tool.key)).not.toContain(key);
    } finally {
      await root.api.admin.tools.setOn({ name: 'skills', isOn: true, version: 1 });
    }
    expect((await describedFor(alice, [key])).text).not.toBeNull();
  });

  it('without skills has no tool of theirs', async () => {
    await save(alice);
    expect(await describedFor(alice, ['calculator'])).toEqual({ text: null, problems: [] });
  });

  it('gets at most 50 skills, whose lines share the room', async () => {
    const all = [];
    for (let n = 0; n < 52; n++) all.push(await save(bob, { name: `many-${n}`, description: 'word '.repeat(200) }));
    const keys = all.map(({ key }) => key);
    const { text, problems } = await describedFor(bob, keys);
    const lines = text?.split('\n').slice(1) ?? [];
    expect(lines).toHaveLength(50);
    expect(text?.length).toBeLessThan(4096);
    expect(lines.filter((line) => !/^- many-\d+: word .*…$/.test(line))).toEqual([]);
    expect(problems).toEqual(['An answer gets the first 50 of the skills that are on.']);
    for (const { id } of all) await bob.api.skills.remove({ id });
  });

  it('reads the files of a skill that are text, and hears of the others', async () => {
    const { id, name, key } = await save(alice);
    const put = (path: string, bytes: Uint8Array) =>
      alice.api.skills.putFile({ id, path, content: Buffer.from(bytes).toString('base64') });
    await put('notes/style.md', strToU8('Be kind.'));
    await put('logo.bin', new Uint8Array([0, 1, 2]));
    const orders = [undefined, 'notes/style.md', `${name}/notes/style.md`, 'logo.bin', '../../etc/passwd', 'SKILL.md'];
    const final = await ask(alice, asking(orders.map((path) => reading(name, path)).join('\n'), [key]));
    const [main, text, again, binary, up, byName] = outputsIn(final);
    expect(main).toContain('[Its files: "logo.bin", "notes/style.md".]');
    expect(main).toContain('the code interpreter is off in this chat');
    expect([text, again]).toEqual([text, `[A file of the skill ${name}: notes/style.md]\n\nBe kind.`]);
    expect(binary).toContain('logo.bin is no text');
    expect(up).toContain(`has no file ../../etc/passwd`);
    expect(byName).toBe(main);
  });

  it('is told where a long text is cut', async () => {
    const { name, key } = await save(alice, { body: 'x'.repeat(200_000) });
    const tool = (await toolsFor(alice, [key])).tools.get('read_skill');
    const outcome = await tool?.run(runOf(alice, { name }));
    const output = outcome?.type === 'done' ? outcome.text : '';
    expect(output.startsWith('x'.repeat(40_000))).toBe(true);
    expect(output).toContain('[SKILL.md is cut: it has 200000 characters, of which these are the first 40000.]');
    expect(output.length).toBeLessThan(41_000);
  });

  it('hears that a skill was deleted while it was read', async () => {
    const { id, name, key } = await save(alice);
    const input = asking(`ORDER pause {}\n${reading(name)}`, [key, 'pause']);
    meanwhile = () => alice.api.skills.remove({ id });
    const before = await toolsFor(alice, [key]);
    await ask(alice, input);
    const outcome = await before.tools.get('read_skill')?.run(runOf(alice, { name }));
    expect(outcome).toEqual({ type: 'failed', text: `The skill ${name} was deleted, or is shared no more.` });
    const { text, problems } = await describedFor(alice, [key]);
    expect([text, problems]).toEqual([
      null,
      ['Skills that are on in this chat and were deleted, or are shared no more: 1.'],
    ]);
  });

  it('gets no skill of a stranger, by whatever key', async () => {
    const { id } = await save(alice);
    for (const key of [`skill:${id}`, `skill:${alice.id}:${id}`, `skill:${bob.id}:${id}`, `skill:${randomUUID()}`])
      expect((await describedFor(bob, [key])).text, key).toBeNull();
  });

  it('tells two skills of one name apart', async () => {
    const hers = await save(alice, { body: 'Hers', name: 'same-name' });
    await alice.api.skills.share({ id: hers.id, isShared: true });
    const his = await save(bob, { body: 'His', name: 'same-name' });
    const keys = [his.key, `skill:${alice.id}:${hers.id}`];
    const orders = ['same-name', 'same-name-2'].map((name) => reading(name)).join('\n');
    const [first, second] = outputsIn(await ask(bob, asking(orders, keys)));
    expect([first?.slice(0, 3), second?.slice(0, 4)]).toEqual(['His', 'Hers']);
    // Somebody who takes the id of a shared skill for one of their own stands in for nobody.
    const carol = await services.as('carol');
    const taken = await carol.api.skills.save({ id: hers.id, name: 'x', description: 'x', body: 'Carols' });
    await carol.api.skills.share({ id: taken.id, isShared: true });
    expect((await describedFor(bob, [`skill:${alice.id}:${hers.id}`])).text).toContain('- same-name:');
  });
});

describe('statements', () => {
  /** Those that a question and its answer send about skills. */
  async function sentFor(input: AskInput): Promise<string[]> {
    const sent = await statementsOf(() => ask(alice, input));
    return sent.filter((one) => /\bskills\b/.test(one));
  }

  it('of skills are none where none is on', async () => {
    await save(alice);
    expect(await sentFor(asking('Hello', ['calculator']))).toEqual([]);
  });

  it('of skills that are on, and not read, are those that write the question', async () => {
    const { key } = await save(alice);
    const sent = await sentFor(asking('Hello', [key]));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('update users set change_seq');
    const { assistantId } = await alice.api.assistants.create({
      name: 'Own',
      endpoint: 'openAI',
      model: 'gpt-4',
      tools: [key],
    });
    const settings = { assistant_id: assistantId };
    expect(await sentFor(asking('Hello', [], { endpoint: 'assistants', model: null, settings }))).toHaveLength(1);
  });
});

describe('a skill of others', () => {
  const lent = (assistantId: string) => ({
    endpoint: 'assistants',
    model: null,
    settings: { assistant_id: assistantId },
  });

  it('is lent by a shared assistant as long as it is shared', async () => {
    const skill = await save(alice, { body: 'Of the owner' });
    const { assistantId } = await alice.api.assistants.create({
      name: 'Lender',
      endpoint: 'openAI',
      model: 'gpt-4',
      tools: [skill.key],
      isShared: true,
    });
    const final = await ask(bob, asking(reading(skill.name), [], lent(assistantId)));
    expect(outputsIn(final)[0]).toContain('Of the owner');
    expect((await describedFor(bob, [skill.key])).text).toBeNull();
    let isLending = true;
    const lender = { userId: alice.id, keys: [skill.key], isLending: async () => isLending };
    const { tools } = await toolsFor(bob, [skill.key], { lender });
    isLending = false;
    const outcome = await tools.get('read_skill')?.run(runOf(bob, { name: skill.name }));
    expect(outcome).toMatchObject({ type: 'failed' });
  });

  it('is lent through a project as long as its owner shares it, and only they put it there', async () => {
    const skill = await save(alice, { body: 'Of the project' });
    const secret = await save(alice, { body: 'Secret' });
    const { id: folderId } = await alice.api.folders.create({ id: randomUUID(), name: 'Mill' });
    await alice.api.folders.update({ id: folderId, tools: [skill.key] });
    await alice.api.folders.setAccess({ id: folderId, to: { to: 'user', userId: bob.id }, level: 'edit' });
    const link = await bob.api.folders.addShared({ id: randomUUID(), ownerId: alice.id, folderId });
    const final = await ask(bob, asking(reading(skill.name), link.tools, { folderId: link.id }));
    expect(outputsIn(final)[0]).toContain('Of the project');
    expect(callsIn(final)[0]?.from?.id).toBe('foreign_skill');
    // In a chat outside of the project it is a stranger's.
    expect((await describedFor(bob, [skill.key])).text).toBeNull();
    const stealing = bob.api.folders.update({ id: link.id, tools: [skill.key, secret.key] });
    await expect(stealing).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' });
    await bob.api.folders.update({ id: link.id, tools: [skill.key, 'calculator'] });
    await alice.api.folders.setAccess({ id: folderId, to: { to: 'user', userId: bob.id }, level: null });
    const convoId = final.convo.conversationId;
    expect((await describedFor(bob, [skill.key], { convoId })).text).toBeNull();
  });

  it('saves no memory, but what the person wrote here does', async () => {
    const foreign = await imported(bob, ORDERS);
    const proposed = await ask(bob, asking(reading(foreign.name), [foreign.key]));
    expect(memoryIn(proposed.reply)).toHaveLength(COUNT);
    expect(statesIn(proposed.reply)).toEqual(['proposed']);
    expect(memoryIn(proposed.reply)[0]?.shown).toEqual([`Skills (${foreign.name})`]);
    expect(await bob.api.memories.list()).toEqual([]);
    const own = await save(bob, { body: ORDERS });
    const saved = await ask(bob, asking(reading(own.name), [own.key]));
    expect(statesIn(saved.reply)).toEqual(['saved']);
    expect((await bob.api.memories.list()).length).toBeGreaterThan(15);
  });

  it('saves no memory either where only its line is shown, or a file of an own skill', async () => {
    const foreign = await imported(bob, 'Nothing', 'only-its-line');
    const listed = await ask(bob, asking(ORDERS, [foreign.key]));
    expect(statesIn(listed.reply)).toEqual(['proposed']);
    const own = await save(bob);
    const content = Buffer.from(ORDERS).toString('base64');
    await bob.api.skills.putFile({ id: own.id, path: 'orders.md', content });
    const read = await ask(bob, asking(reading(own.name, 'orders.md'), [own.key]));
    expect(statesIn(read.reply)).toEqual(['proposed']);
    expect(await bob.api.memories.list()).toEqual([]);
  });

  it('opens no page unasked, but what the person wrote here does', async () => {
    const order = `ORDER web_page ${JSON.stringify({ url: pageUrl })}`;
    const foreign = await imported(bob, `See ${pageUrl}\n${order}`, 'with-page');
    const waiting = await ask(bob, asking(reading(foreign.name), [foreign.key, 'web_page']));
    expect(callsIn(waiting).at(-1)).toMatchObject({ state: 'waiting' });
    expect(opened).toEqual([]);
    const own = await save(bob, { body: `See ${pageUrl}\n${order}` });
    const read = await ask(bob, asking(reading(own.name), [own.key, 'web_page']));
    expect(callsIn(read).at(-1)).toMatchObject({ state: 'done' });
    expect(opened).toEqual(['/of-the-skill']);
  });
});

function runOf({ id: userId }: Person, args: Record<string, unknown>) {
  const ids = { userId, convoId: randomUUID(), generationId: randomUUID(), callId: '0:0' };
  return { ...ids, args, signal: new AbortController().signal, report: () => undefined };
}
