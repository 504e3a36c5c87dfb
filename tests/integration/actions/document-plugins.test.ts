// Plugins that are only the OpenAPI document of a service, where the operator offers them.
import { isLoopCall, messageText, type Message } from '@parley/schema/messages/messages';
import { startFakeApi, type FakeApi } from '@parley/scripts/fake-tools/api';
import { createActions } from '@parley/server/actions/actions';
import { createDocumentSource } from '@parley/server/actions/documents/document-source';
import { createEncryption } from '@parley/server/keys/encryption';
import { createEgress } from '@parley/server/platform/egress';
import type { ToolSource } from '@parley/server/tools/tool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolSourceContract } from '../../contracts/tool-source.ts';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { callTool, choosing, toolOf } from '../../support/tools/tool-run.ts';

let api: FakeApi;
let services: TestServices;
let alice: Person;
let source: ToolSource;

beforeAll(async () => {
  api = await startFakeApi();
  const documents = [
    `scholarai=${api.url}/openapi.json`,
    `qrCodes=${api.url}/page`,
    `uberchord=${api.url}/broken`,
    'drink_maestro=http://169.254.169.254/openapi.json',
  ];
  services = await openTestServices({
    OPENAI_MODELS: 'gpt-4',
    PLUGINS_OPENAPI: 'true',
    PLUGINS_OPENAPI_DOCUMENTS: documents.join(', '),
    EGRESS_ALLOWED_HOSTS: api.host,
  });
  alice = await services.as('alice');
  source = sourceOf(services);
});
afterAll(async () => {
  await services.close();
  await api.close();
});

function sourceOf({ deps: { config, secrets, db, log } }: TestServices): ToolSource {
  const egress = createEgress(config.server.egressAllowedHosts);
  const own = { config, db, log, egress, encryption: createEncryption(secrets.credsKey, []) };
  return createDocumentSource(own, createActions(own));
}

function nameOf(operation: string): string {
  return `${operation}_action_${Buffer.from(api.host).toString('base64').slice(0, 10)}`;
}

async function stateOf(key: string) {
  return (await source.list(alice.id)).find((one) => one.key === key);
}

toolSourceContract('of documents', async () => ({
  source,
  userId: alice.id,
  keys: ['scholarai'],
  args: { [nameOf('listPets')]: {} },
}));

describe('a plugin that is only a document', () => {
  it('has its operations as tools, which ask first, or each time where they delete', async () => {
    const { tools, problems } = await source.tools(choosing(alice.id, ['scholarai']));
    expect(problems).toEqual([]);
    const asks = Object.fromEntries(tools.map((tool) => [tool.name.split('_action_')[0], tool.asks]));
    expect(asks).toMatchObject({ listPets: 'first', addPet: 'first', removePet: 'always' });
    expect(tools[0]?.from).toEqual({ source: 'plugin', id: 'scholarai', label: 'ScholarAI' });
    expect(JSON.stringify(tools)).not.toContain('pattern');
  });

  it('is called as actions are', async () => {
    const chosen = choosing(alice.id, ['scholarai']);
    const outcome = await callTool(await toolOf(source, chosen, nameOf('listPets')), { limit: 3 }, chosen);
    expect(outcome).toMatchObject({ type: 'done', text: expect.stringContaining('"limit":"3"') });
    await callTool(await toolOf(source, chosen, nameOf('addPet')), { name: 'Ada' }, chosen);
    expect(api.asked.at(-1)).toMatchObject({ method: 'POST', path: '/pets' });
    expect(api.asked.at(-1)?.headers['idempotency-key']).toMatch(/\/0:0$/);
    expect(api.asked.at(-1)?.headers).not.toHaveProperty('authorization');
    const away = await callTool(await toolOf(source, chosen, nameOf('redirect')), {}, chosen);
    expect(away).toMatchObject({ type: 'failed', text: expect.stringContaining('a redirect') });
  });

  it('answers a question once its call is allowed', async () => {
    const words = `Search. [[call-tool:${nameOf('listPets')} {}]]`;
    const asked = question(words, { model: 'gpt-4', settings: { tools: ['scholarai'] } });
    const waiting = await exchange(services, alice.id, asked);
    expect(callsOf(waiting.reply)).toMatchObject([
      { state: 'waiting', needs: 'approval', does: `GET ${api.host}/pets` },
    ]);
    const { messageId } = waiting.reply;
    const { reply } = await exchange(services, alice.id, {
      ...question('', { model: 'gpt-4', settings: waiting.convo.settings }),
      conversationId: waiting.convo.conversationId,
      replyId: messageId,
      target: { kind: 'resume', messageId, decisions: { '0:0': 'allow' } },
    });
    expect(callsOf(reply)).toMatchObject([{ state: 'done', output: expect.stringContaining('Rex') }]);
    expect(callsOf(reply)[0]).not.toHaveProperty('does');
    expect(messageText(reply)).toContain('That was it.');
  });

  it('says where a call goes, and that deleting cannot be allowed always', async () => {
    const words = `Remove it. [[call-tool:${nameOf('removePet')} {"petId":"1"}]]`;
    const asked = question(words, { model: 'gpt-4', settings: { tools: ['scholarai'] } });
    const { reply } = await exchange(services, alice.id, asked);
    const does = `DELETE ${api.host}/pets/{petId}`;
    expect(callsOf(reply)).toMatchObject([{ state: 'waiting', does, isAskedEachTime: true }]);
  });

  it("shows a notice when its document can't be read or used", async () => {
    expect(await stateOf('qrCodes')).toMatchObject({ unavailable: null });
    const { tools, problems } = await source.tools(choosing(alice.id, ['qrCodes', 'uberchord', 'drink_maestro']));
    expect(tools).toEqual([]);
    expect(Object.fromEntries(problems.map(({ from, text }) => [from.id, text]))).toEqual({
      qrCodes: `The document of ${api.host} cannot be used: Error parsing OpenAPI spec.`,
      uberchord: `${api.host} cannot be reached.`,
      drink_maestro: '169.254.169.254 may not be called.',
    });
    expect(await stateOf('qrCodes')).toMatchObject({
      unavailable: expect.stringContaining('cannot be used'),
      why: { type: 'service', name: 'QR Codes' },
    });
  });

  it('is read once', async () => {
    const before = api.asked.filter(({ path }) => path === '/openapi.json').length;
    await source.tools(choosing(alice.id, ['scholarai']));
    expect(api.asked.filter(({ path }) => path === '/openapi.json')).toHaveLength(before);
  });

  it('is in the store, where its service can be tried', async () => {
    const list = await alice.api.plugins.list();
    expect(list.filter(({ unavailable }) => unavailable === null).map(({ key }) => key)).toContain('scholarai');
    expect((await alice.api.tools.list()).map(({ key }) => key)).toContain('scholarai');
  });
});

describe('where the operator does not offer them', () => {
  it('they are listed nowhere but in the store, as ended, and a conversation that has one is told so', async () => {
    const closed = await openTestServices();
    const bob = await closed.as('bob');
    const own = sourceOf(closed);
    expect(await own.list(bob.id)).toEqual([]);
    const text = 'The service behind this plugin is no longer offered.';
    expect(await own.tools(choosing(bob.id, ['scholarai', 'web_search']))).toMatchObject({
      tools: [],
      problems: [{ from: { id: 'scholarai' }, text }],
    });
    const ended = (await bob.api.plugins.list()).find(({ key }) => key === 'scholarai');
    expect(ended).toMatchObject({ unavailable: text, why: { type: 'service_ended' } });
    await closed.close();
  });
});

function callsOf({ parts }: Pick<Message, 'parts'>) {
  return parts.filter(isLoopCall).map(({ call }) => call);
}
