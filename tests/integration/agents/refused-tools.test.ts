// A provider that refuses tools costs the tools, not the answer.
import { messageText, type Message } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { createTool, sourceOf } from '../../support/tools/agents.ts';

const six = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6'];

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  const env = { OPENAI_MODELS: 'gpt-4,gpt-4-turbo,gpt-4o,gpt-4-llama,gpt-4-shared' };
  services = await openTestServices(env, {}, undefined, [
    sourceOf(...['echo', 'other', ...six].map((name) => createTool(name))),
  ]);
  alice = await services.as('alice');
});
afterAll(() => services.close());

/** Notices, too. */
function callsOf({ parts }: Pick<Message, 'parts'>) {
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [part.call] : []));
  return calls.map(({ name, state, output }) => ({ name, state, output }));
}

const asked = (text: string) => services.provider.requests.filter(({ body }) => JSON.stringify(body).includes(text));

describe('a provider that refuses one tool', () => {
  it('is asked once more without it, and the reply names it', async () => {
    const input = question('Refuse one. call other {"input":"hi"} [[refuse-tool:echo]]', {
      model: 'gpt-4',
      settings: { tools: ['echo', 'other'] },
    });
    const { reply } = await exchange(services, alice.id, input);
    expect(reply).toMatchObject({ reason: null, finishReason: 'stop' });
    expect(callsOf(reply)).toEqual([
      { name: 'echo', state: 'failed', output: 'openAI refused the tool echo. The answer goes on without it.' },
      { name: 'other', state: 'done', output: 'other says hi' },
    ]);
    expect(messageText(reply)).toContain('other says hi');
    // The refused request, the one without the tool, and the one with its result.
    expect(asked('Refuse one')).toHaveLength(3);
  });
});

describe('a provider that refuses six tools', () => {
  it('a provider that refuses tools is asked once more, however long its sentence is', async () => {
    const settings = { tools: ['echo', ...six] };
    const text = `Refuse six. call echo {"input":"hi"} [[refuse-tool:${six.join('+')}]]`;
    const { reply } = await exchange(services, alice.id, question(text, { model: 'gpt-4', settings }));
    expect(callsOf(reply).map(({ name, state }) => [name, state])).toEqual([
      ...six.map((name) => [name, 'failed']),
      ['echo', 'done'],
    ]);
    // The refused request, the one without the six, and the one with the result.
    expect(asked('Refuse six')).toHaveLength(3);
  });
});

describe('a model that takes no tools', () => {
  const settings = { tools: ['echo'] };
  const notice = (model: string) => ({
    name: 'Tools',
    state: 'failed',
    output: `${model} takes no tools. The answer goes on without them.`,
  });

  it('answers without them, says so, and is not offered any for a while', async () => {
    const first = await exchange(
      services,
      alice.id,
      question('None, please [[no-tools]]', { model: 'gpt-4-turbo', settings }),
    );
    expect(first.reply).toMatchObject({ reason: null, finishReason: 'stop' });
    expect(messageText(first.reply)).toBe('I have no tools.');
    expect(callsOf(first.reply)).toEqual([notice('gpt-4-turbo')]);
    expect(asked('None, please')).toHaveLength(2);
    const next = followUp('Once more [[no-tools]]', first, { model: 'gpt-4-turbo' });
    const second = await exchange(services, alice.id, { ...next, settings });
    expect(callsOf(second.reply)).toEqual([notice('gpt-4-turbo')]);
    expect(asked('Once more')).toHaveLength(1);
  });

  it('a model that one process knows to take no tools is offered none by another process', async () => {
    const other = await services.beside({});
    const input = (text: string) => question(`${text} [[no-tools]]`, { model: 'gpt-4-shared', settings });
    await exchange(services, alice.id, input('Here first'));
    expect(asked('Here first')).toHaveLength(2);
    const known = () => other.deps.refusals.ofEndpoint('openAI');
    await expect.poll(known).toContainEqual({ name: 'tools', model: 'gpt-4-shared' });
    const { reply } = await exchange({ ...services, deps: other.deps }, alice.id, input('Then there'));
    expect([messageText(reply), callsOf(reply)]).toEqual(['I have no tools.', [notice('gpt-4-shared')]]);
    expect(asked('Then there')).toHaveLength(1);
    await other.close();
  });

  it('is recognized where its server fails with status 500 for them, as llama.cpp does', async () => {
    const input = question('Of llamas [[no-tools:500]]', { model: 'gpt-4-llama', settings });
    const { reply } = await exchange(services, alice.id, input);
    expect(reply).toMatchObject({ reason: null, finishReason: 'stop' });
    expect(messageText(reply)).toBe('I have no tools.');
    expect(callsOf(reply)).toEqual([notice('gpt-4-llama')]);
  });

  it('goes on where another model had called tools', async () => {
    const before = question('Use it: call echo {"input":"hi"} [[tool-steps]]', { model: 'gpt-4', settings });
    const first = await exchange(services, alice.id, before);
    const next = followUp('And now? [[no-tools]]', first, { model: 'gpt-4o' });
    const { reply } = await exchange(services, alice.id, { ...next, settings });
    expect(reply.reason).toBeNull();
    expect(messageText(reply)).toBe('I have no tools.');
    expect(JSON.stringify(asked('And now?').at(-1)?.body)).not.toContain('tool_calls');
  });
});
