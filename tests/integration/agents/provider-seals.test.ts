// Providers that want back what they signed: within an answer, and in the next one.
import { isLoopCall, messageText } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';
import { createTool, sourceOf } from '../../support/tools/agents.ts';

let services: TestServices;

beforeAll(async () => {
  const env = {
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
    ANTHROPIC_MODELS: 'claude-sonnet-4-5',
    GOOGLE_KEY: 'fake',
    GOOGLE_REVERSE_PROXY: '${FAKE_PROVIDER}',
    GOOGLE_MODELS: 'gemini-2.5-pro',
  };
  services = await openTestServices(env, {}, undefined, [sourceOf(createTool('echo'))]);
});
afterAll(() => services.close());

describe.each([
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-pro'],
])('%s', (endpoint, model) => {
  it('gets its signatures back in each step, and in the next reply', async () => {
    const { id } = await services.as('alice');
    const settings = { tools: ['echo'], ...(endpoint === 'anthropic' && { thinkingBudget: 2048 }) };
    const lines = ['call echo {"input":"one"}', 'call echo {"input":"two"}'].join('\n');
    const first = await exchange(services, id, question(`${lines}\n[[tool-signed]]`, { endpoint, model, settings }));
    expect(first.reply.reason).toBeNull();
    expect(first.reply.parts.filter(isLoopCall)).toHaveLength(2);
    expect(messageText(first.reply)).toContain('- echo: <data from="echo">\necho says two\n</data>');
    const next = followUp('call echo {"input":"three"}\n[[tool-signed]]', first, { endpoint, model, settings });
    const second = await exchange(services, id, next);
    expect(second.reply.reason).toBeNull();
    expect(second.reply.parts.filter(isLoopCall)).toHaveLength(1);
  });
});
