// One row in the endpoint table and one definition are all it takes to offer a provider with a protocol of its own.
// The row comes first: others read the table when they are loaded.
import { PARROT } from './parrot/row.ts';
import { loadConfig } from '@parley/server/load-config';
import { isConfigError } from '@parley/server/config/config-error';
import { describeEndpoints } from '@parley/server/catalog/endpoint-status';
import { PROVIDERS } from '@parley/server/providers/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parrot } from './parrot/provider.ts';
import { startFakeParrot, type FakeParrot } from './parrot/fake.ts';
import { finalOf, question, send, signUp, type Client } from '../../support/rest/client.ts';
import { createFolder } from '../../support/folders.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const providers = [...PROVIDERS, parrot];

let birds: FakeParrot;
let server: TestServer;
let alice: Client;

beforeAll(async () => {
  birds = await startFakeParrot();
  const env = { ENDPOINTS: `openAI,${PARROT}`, PARROT_KEY: 'cracker', PARROT_URL: birds.url };
  server = await startTestServer({ env, providers });
  alice = await signUp(server.url, 'alice');
});
beforeEach(() => void birds.squawks.splice(0));
afterAll(async () => {
  await server.close();
  await birds.close();
});

function ask(text: string, over: object = {}) {
  return alice.ask(question(text, { endpoint: PARROT, model: 'grey', ...over }), PARROT);
}

describe('a provider that is defined by one row and one definition', () => {
  it('is configured by variables of its own', async () => {
    const load = (env: Record<string, string>) => loadConfig({ env, cwd: createFolder(), providers });
    expect(describeEndpoints(await load({ PARROT_KEY: 'k', PARROT_URL: 'https://parrot.example' }))).toContain(
      'parrot is ready',
    );
    expect(describeEndpoints(await load({}))).toContain('parrot is off: PARROT_KEY is not set');
    expect(describeEndpoints(await load({ ENDPOINTS: 'openAI' }))).toContain('parrot is off: ENDPOINTS leaves it out');
    const users = await load({ PARROT_KEY: 'user_provided', PARROT_URL: 'https://parrot.example' });
    expect(describeEndpoints(users)).toContain('parrot is ready for users who bring a key');
    const failure = await load({ PARROT_URL: 'a cage' }).catch((error: unknown) => error);
    expect(isConfigError(failure) && failure.message).toContain('PARROT_URL');
  });

  it('is listed with its models and their metadata', async () => {
    expect(await alice.json('/api/endpoints')).toMatchObject({ [PARROT]: { userProvide: false, order: 1 } });
    expect(await alice.json('/api/models')).toMatchObject({ [PARROT]: ['grey', 'macaw'] });
  });

  it('answers at its REST path, with the parameters of its row', async () => {
    const { responseMessage, conversation } = finalOf(await ask('Polly', { temperature: 11 }));
    expect(responseMessage).toMatchObject({ text: 'Polly', sender: 'Parrot', endpoint: PARROT });
    expect(conversation).toMatchObject({ endpoint: PARROT, model: 'grey', temperature: 11 });
    expect(birds.squawks[0]).toEqual({ key: 'cracker', model: 'grey', temperature: 11, heard: 'Polly' });
  });

  it('refuses parameters beyond the bounds of its row', async () => {
    const frames = await ask('Louder', { temperature: 12 });
    expect(JSON.stringify(frames)).toContain('temperature must be a whole number from 0 to 11');
    expect(birds.squawks).toEqual([]);
  });

  it('gives the conversation a title by its own rules', async () => {
    const { conversation } = finalOf(await ask('What do you want?'));
    const read = async () =>
      ((await alice.json(`/api/convos/${conversation.conversationId}`)) as { title: string }).title;
    await expect.poll(read).toBe('A Talking Bird');
    expect(birds.squawks.at(-1)).toMatchObject({ model: 'macaw', maxTokens: 7 });
  });

  it('takes the key that a person brings as the form of its row saves it', async () => {
    const env = { ENDPOINTS: PARROT, PARROT_KEY: 'user_provided', PARROT_URL: birds.url };
    const other = await startTestServer({ env, providers });
    onTestFinished(() => other.close());
    const bob = await signUp(other.url, 'bob');
    const key = { name: PARROT, value: 'biscuit', expiresAt: null };
    expect((await send(other.url, 'PUT', '/api/keys', key, bob.headers)).status).toBe(201);
    await bob.ask(question('Mine', { endpoint: PARROT, model: 'grey' }), PARROT);
    expect(birds.squawks[0]).toMatchObject({ key: 'biscuit', heard: 'Mine' });
  });

  it('continues an answer at its edit path', async () => {
    const { requestMessage, responseMessage, conversation } = finalOf(await ask('Say it again'));
    const body = question('Say it again', {
      endpoint: PARROT,
      model: 'grey',
      conversationId: conversation.conversationId,
      overrideParentMessageId: requestMessage.messageId,
      responseMessageId: responseMessage.messageId,
      generation: 'Again and',
    });
    const answer = await alice.post(`/api/edit/${PARROT}`, body);
    expect(await answer.text()).toContain('Again and Again and');
  });
});
