// A question to another model than that of its conversation, which keeps its own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({ TITLE_CONVO: 'false' });
  alice = await services.as('alice');
});
afterAll(() => services.close());

it('asks the other model, and the conversation goes on with its own', async () => {
  const own = { model: 'fake:echo', settings: { temperature: 0.3 } };
  const first = await exchange(services, alice.id, question('Herons', own));
  const once = { model: 'fake:plain', settings: {}, keepsModel: true };
  const second = await exchange(services, alice.id, followUp('Storks', first, once));
  expect(second.reply).toMatchObject({ model: 'fake:plain' });
  expect(second.request).toMatchObject({ model: 'fake:plain' });
  expect(second.convo).toMatchObject(own);
  expect(await alice.api.convos.byId({ conversationId: second.convo.conversationId })).toMatchObject(own);

  const third = await exchange(services, alice.id, followUp('Cranes', second, { model: 'fake:plain' }));
  expect(third.convo).toMatchObject({ model: 'fake:plain', settings: {} });
});

it('asks with the settings of the question, and the conversation keeps its own', async () => {
  const keeps = { endpoint: 'openAI', model: 'fake:echo', settings: { temperature: 0.3 } };
  const first = await exchange(services, alice.id, question('Grebes', { settings: keeps.settings }));
  const once = { model: 'fake:plain', settings: { temperature: 0.9 }, keeps };
  const { convo } = await exchange(services, alice.id, followUp('Divers of the north', first, once));
  const heard = services.provider.requests.find(isAskedAbout('Divers of the north'))?.body;
  expect(heard).toMatchObject({ model: 'fake:plain', temperature: 0.9 });
  expect(convo).toMatchObject({ model: 'fake:echo', settings: { temperature: 0.3 } });
});

it('begins a conversation with its own model where another one answers the first question', async () => {
  const keeps = { endpoint: 'openAI', model: 'fake:echo', settings: { temperature: 0.4 } };
  const once = question('Avocets', { model: 'fake:plain', settings: { temperature: 0.8 }, keeps });
  const { convo, request, reply } = await exchange(services, alice.id, once);
  expect([request.model, reply.model]).toEqual(['fake:plain', 'fake:plain']);
  expect(services.provider.requests.find(isAskedAbout('Avocets'))?.body).toMatchObject({ temperature: 0.8 });
  const own = { endpoint: 'openAI', model: 'fake:echo', settings: { temperature: 0.4 } };
  expect(convo).toMatchObject(own);
  expect(await alice.api.convos.byId({ conversationId: convo.conversationId })).toMatchObject(own);
  expect((await services.deps.askService.ask(alice.id, once)).convo).toMatchObject(own);
});

it('asks the other model where the endpoint of the conversation is no longer offered', async () => {
  const keeps = { endpoint: 'Gone', model: 'gone-1', settings: {} };
  const first = await exchange(services, alice.id, question('Terns'));
  const once = { model: 'fake:plain', keeps };
  const { convo, reply } = await exchange(services, alice.id, followUp('Gulls', first, once));
  expect([convo.model, reply.model]).toEqual(['fake:echo', 'fake:plain']);
  const begun = await exchange(services, alice.id, question('Auks', once));
  expect(begun.convo.model).toBe('fake:plain');
});

it('refuses what could not be a model, and keeps nothing of it', async () => {
  const keeps = { endpoint: 'openAI', model: 'fake:echo', settings: { temperature: 99 } };
  const asked = question('Rails', { model: 'fake:plain', keeps });
  await expect(services.deps.askService.ask(alice.id, asked)).rejects.toThrow();
  await expect(alice.api.convos.byId({ conversationId: asked.conversationId })).rejects.toThrow();
});

it('is idempotent: the same ids give the same reply, and the conversation its model', async () => {
  const first = await exchange(services, alice.id, question('Owls'));
  const again = followUp('Larks', first, { model: 'fake:plain', keepsModel: true });
  const one = await exchange(services, alice.id, again);
  const two = await services.deps.askService.ask(alice.id, again);
  expect(two.reply.messageId).toBe(one.reply.messageId);
  expect(two.convo.model).toBe('fake:echo');
});

it('gives a new conversation the model that it was begun with', async () => {
  const { convo } = await exchange(services, alice.id, question('Swans', { model: 'fake:plain', keepsModel: true }));
  expect(convo.model).toBe('fake:plain');
});
