// Assistants that call their tools.
import { isLoopCall, messageText } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequests, exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({
    ASSISTANTS_API_KEY: 'fake',
    ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1',
    ASSISTANTS_MODELS: 'gpt-4',
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
    ANTHROPIC_MODELS: 'claude-3-haiku-20240307',
    TITLE_CONVO: 'false',
  });
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('an assistant with a tool of the list', () => {
  it.each([
    ['the default endpoint', { model: 'gpt-4' }],
    ['an endpoint that it names', { model: 'claude-3-haiku-20240307', endpoint: 'anthropic' }],
  ])('calls it by %s, though the conversation chose none', async (_, by) => {
    const made = await alice.api.assistants.create({ ...by, tools: ['calculator'] });
    expect(made.tools).toMatchObject([{ type: 'function', function: { name: 'calculator' } }]);
    const settings = { assistant_id: made.assistantId };
    const asking = question(`How much? ${by.model} [[calculate:6 * 7]]`, {
      endpoint: 'assistants',
      model: null,
      settings,
    });
    const { reply, convo } = await exchange(services, alice.id, asking);
    const [call] = reply.parts.filter(isLoopCall);
    expect(call?.call).toMatchObject({ name: 'calculator', state: 'done', output: '42' });
    expect(messageText(reply)).toBe('Let me see. That is the result.');
    expect(convo.settings).toEqual(settings);
    // The next answer is shown the call.
    const more = { endpoint: 'assistants', model: null, settings };
    await exchange(services, alice.id, followUp(`And now, ${by.model}?`, { convo, reply }, more));
    expect(JSON.stringify(answerRequests(services.provider).at(-1)?.body)).toContain('6 * 7');
  });

  it('calls none that it does not have', async () => {
    const { assistantId } = await alice.api.assistants.create({ model: 'gpt-4' });
    const settings = { assistant_id: assistantId };
    const asking = question('How much, without? [[calculate:6 * 7]]', {
      endpoint: 'assistants',
      model: null,
      settings,
    });
    const { reply } = await exchange(services, alice.id, asking);
    expect(reply.parts.filter(isLoopCall)).toEqual([]);
  });
});
