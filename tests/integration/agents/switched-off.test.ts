// A server whose operator has switched tools off.
import { isLoopCall, textOf } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

let services: TestServices;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'gpt-4', TOOLS: 'off' });
});
afterAll(() => services.close());

it('answers a conversation of the classic agent in words', async () => {
  const bob = await services.as('bob');
  const agentOptions = { agent: 'classic', skipCompletion: true, model: 'gpt-4', temperature: 0 } as const;
  const settings = { tools: ['calculator'], agentOptions };
  const input = question('No agent [[echo]]', { endpoint: 'gptPlugins', model: 'gpt-4', settings });
  const { reply } = await exchange(services, bob.id, input);
  expect(textOf(reply)).toContain('No agent');
  const { body } = await services.provider.waitForRequest(isAskedAbout('No agent'), 15_000);
  expect(JSON.stringify(body)).not.toContain('Final Answer');
});

it('lists no tools, offers none to the model, and answers all the same', async () => {
  const alice = await services.as('alice');
  expect(await alice.api.tools.list()).toEqual([]);
  const input = question('Without tools', { model: 'gpt-4', settings: { tools: ['calculator'] } });
  const { reply } = await exchange(services, alice.id, input);
  expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
  expect(textOf(reply)).toContain('Without tools');
  expect(reply.parts.filter(isLoopCall)).toEqual([]);
  const { body } = await services.provider.waitForRequest(isAskedAbout('Without tools'), 15_000);
  expect(body).not.toHaveProperty('tools');
});
