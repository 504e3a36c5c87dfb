// A server whose operator has switched tools off.
import { randomUUID } from 'node:crypto';
import { isLoopCall, messageText } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, isAskedAbout, question } from '../../support/exchange.ts';
import { addFile } from '../../support/retrieval/stored-files.ts';
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
  expect(messageText(reply)).toContain('No agent');
  const { body } = await services.provider.waitForRequest(isAskedAbout('No agent'));
  expect(JSON.stringify(body)).not.toContain('Final Answer');
});

it('asks the model of such a conversation once where its reply is to be written by the completion', async () => {
  const erin = await services.as('erin');
  const agentOptions = { agent: 'functions', skipCompletion: false, model: 'gpt-4', temperature: 0 } as const;
  const settings = { tools: ['calculator'], agentOptions };
  const input = question('Only once [[echo]]', { endpoint: 'gptPlugins', model: 'gpt-4', settings });
  const { reply } = await exchange(services, erin.id, input);
  expect(messageText(reply)).toContain('Only once');
  expect(services.provider.requests.filter(isAskedAbout('Only once'))).toHaveLength(1);
});

it('offers no search of the files that are too long for the model', async () => {
  const carol = await services.as('carol');
  const lines = Array.from({ length: 6000 }, (_, n) => `Line ${n} tells of herons in the valley ${n % 97}.`);
  const long = await addFile(services, carol, lines.join('\n'), { name: 'birds.txt', mime: 'text/plain' });
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, files: [long] };
  const text = 'What of the herons? [[call-tool:file_search {"query":"herons"}]]';
  const settings = { tools: ['calculator'] };
  const input = question(text, { model: 'gpt-4', settings, target: { ...target, text } });
  const { reply } = await exchange(services, carol.id, input);
  expect(reply.reason).toBeNull();
  const { body } = await services.provider.waitForRequest(isAskedAbout('What of the herons?'));
  expect(body).not.toHaveProperty('tools');
});

it('lists no tools, offers none to the model, and answers all the same', async () => {
  const alice = await services.as('alice');
  expect(await alice.api.tools.list()).toEqual([]);
  const input = question('Without tools', { model: 'gpt-4', settings: { tools: ['calculator'] } });
  const { reply } = await exchange(services, alice.id, input);
  expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
  expect(messageText(reply)).toContain('Without tools');
  expect(reply.parts.filter(isLoopCall)).toEqual([]);
  const { body } = await services.provider.waitForRequest(isAskedAbout('Without tools'));
  expect(body).not.toHaveProperty('tools');
});
