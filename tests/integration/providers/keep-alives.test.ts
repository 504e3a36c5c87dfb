import { textOf } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({
    STREAM_FIRST_TIMEOUT: '1500',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
  });
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('a model that thinks for longer than a provider may be silent', () => {
  it.concurrent.each([
    ['openAI', 'gpt-4'],
    ['anthropic', 'claude-sonnet-5'],
  ])('answers when %s sends keep-alives meanwhile', async (endpoint, model) => {
    const asked = question('[[keep-alives:30]] Think well', { endpoint, model });
    const { reply } = await exchange(services, alice.id, asked);
    expect(reply.reason).toBeNull();
    expect(textOf(reply)).toContain('Think well');
  });
});
