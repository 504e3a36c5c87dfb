// A question to another model than that of its conversation, which keeps its own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
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
