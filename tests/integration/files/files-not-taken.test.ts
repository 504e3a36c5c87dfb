// Files of stored questions, asked about at an endpoint that does not take them.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

const YAML = `
version: "1.0.7"
fileConfig:
  endpoints:
    strict: { fileSizeLimit: 0.001, supportedMimeTypes: ['text/csv'] }
    closed: { disabled: true }
endpoints:
  custom:
    - { name: strict, apiKey: fake, baseURL: '\${FAKE_URL}', models: { default: [gpt-4o] } }
    - { name: closed, apiKey: fake, baseURL: '\${FAKE_URL}', models: { default: [gpt-4o] } }
`;
const NOT_TAKEN = 'it is of a type or size that is not taken here';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  const CONFIG_PATH = join(createFolder(), 'parley.yaml');
  writeFileSync(CONFIG_PATH, YAML);
  services = await openTestServices({
    CONFIG_PATH,
    FAKE_URL: '${FAKE_PROVIDER}/v1',
    OPENAI_MODELS: 'gpt-4o',
    TITLE_CONVO: 'false',
  });
  alice = await services.as('alice');
});
afterAll(() => services?.close());

describe('a file of a stored question that the asked endpoint does not take', () => {
  it('is not sent with a later question, and named to the model and the person', async () => {
    const { first, image, table, notes, long } = await askedAtOpenAI();
    const over = { endpoint: 'strict', model: 'gpt-4o' };
    const asked = followUp('What was in them at the strict one?', first, over);
    const { reply } = await exchange(services, alice.id, asked);
    const sent = bodyOf('What was in them at the strict one?');
    expect(sent).toContain('oak,30');
    for (const hidden of ['Birches are white', 'data:image', 'maple,1']) expect(sent).not.toContain(hidden);
    for (const name of ['file: notes.md', 'file: long.csv', 'image: tree.png'])
      expect(sent).toContain(`[${name}; ${NOT_TAKEN}]`);
    expect(reply.context?.files).toEqual([
      expect.objectContaining({ fileId: table, shown: 'whole' }),
      ...[
        [notes, 'notes.md'],
        [image, 'tree.png'],
        [long, 'long.csv'],
      ].map(([fileId, name]) => ({ fileId, name, shown: 'name', why: 'not_taken' })),
    ]);
    expect(reply.context).not.toHaveProperty('images');
  });

  it('is not sent when that question is answered again, and none is where the endpoint takes no files', async () => {
    const { first } = await askedAtOpenAI();
    const { conversationId } = first.convo;
    const { messageId } = first.request;
    const again = (endpoint: string): AskInput =>
      question('', {
        conversationId,
        endpoint,
        model: 'gpt-4o',
        target: { kind: 'regenerate', parentMessageId: messageId },
      });
    services.provider.clear();
    const strict = await exchange(services, alice.id, again('strict'));
    expect(bodyOf('Look at these')).toContain('oak,30');
    expect(bodyOf('Look at these')).not.toContain('Birches are white');
    expect(strict.reply.context?.files?.map(({ shown }) => shown)).toEqual(['whole', 'name', 'name', 'name']);
    services.provider.clear();
    const closed = await exchange(services, alice.id, again('closed'));
    for (const hidden of ['oak,30', 'Birches are white', 'data:image'])
      expect(bodyOf('Look at these')).not.toContain(hidden);
    expect(closed.reply.context?.files?.map(({ shown }) => shown)).toEqual(['name', 'name', 'name', 'name']);
  });

  it('is not sent when an answer is edited or continued there', async () => {
    const { first } = await askedAtOpenAI();
    const { conversationId } = first.convo;
    const { messageId } = first.reply;
    const over = { conversationId, endpoint: 'strict', model: 'gpt-4o' };
    services.provider.clear();
    const edit = question('', { ...over, target: { kind: 'edit', messageId, text: 'They are' } });
    const edited = await exchange(services, alice.id, edit);
    expect(bodyOf('Look at these')).not.toContain('Birches are white');
    expect(edited.reply.context?.files).toContainEqual(expect.objectContaining({ why: 'not_taken' }));
    services.provider.clear();
    const target = { kind: 'continue' as const, messageId: edited.reply.messageId, evenIfComplete: true };
    await exchange(services, alice.id, question('', { ...over, replyId: edited.reply.messageId, target }));
    expect(bodyOf('Look at these')).not.toContain('Birches are white');
  });

  it('counts nothing in the budget of the next question', async () => {
    const { first } = await askedAtOpenAI();
    const budget = (endpoint: string) =>
      alice.api.messages.budget({
        conversationId: first.convo.conversationId,
        parentMessageId: first.reply.messageId,
        endpoint,
        model: 'gpt-4o',
        settings: {},
        text: 'And now?',
      });
    const open = await budget('openAI');
    const strict = await budget('strict');
    // The image alone has more than 85 tokens.
    expect(open.history - strict.history).toBeGreaterThan(85);
  });
});

/** A question at an endpoint that takes all of them: an image, a text, a small and a large table. */
async function askedAtOpenAI() {
  const image = await addFile({ name: 'tree.png', mime: 'image/png', width: 600, height: 600, text: 'PNG' });
  const table = await addFile({ name: 'trees.csv', mime: 'text/csv', text: 'tree,height\noak,30' });
  const notes = await addFile({ name: 'notes.md', mime: 'text/markdown', text: 'Birches are white' });
  const long = await addFile({ name: 'long.csv', mime: 'text/csv', text: `tree\n${'maple,1\n'.repeat(200)}` });
  const files = [table, notes, image, long];
  const text = 'Look at these [[natural:5]]';
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text, files };
  // Its answer repeats nothing of what was sent.
  const first: FinalEvent = await exchange(services, alice.id, question('', { model: 'gpt-4o', target }));
  expect(bodyOf(text)).toContain('Birches are white');
  return { first, image, table, notes, long };
}

async function addFile(file: Parameters<typeof keepTestFile>[2]): Promise<string> {
  return (await keepTestFile(services.deps, alice.id, file)).id;
}

/** What the provider was sent last about this. */
function bodyOf(text: string): string {
  return JSON.stringify(services.provider.requests.findLast(isAskedAbout(text))?.body ?? null);
}
