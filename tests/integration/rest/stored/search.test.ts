import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Conversation, Message } from '../../../support/rest/client-rules.ts';
import { finalOf, question, signUp, type Client } from '../../../support/rest/client.ts';

const Found = Message.and(
  z.object({
    searchResult: z.literal(true),
    title: z.string(),
    model: z.string(),
    chatGptLabel: z.string().optional(),
  }),
);
const Page = z.strictObject({
  conversations: z.array(Conversation),
  pages: z.int(),
  pageNumber: z.int(),
  pageSize: z.int(),
  messages: z.array(Found),
});

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

const search = async (q: string, more = '') =>
  Page.parse(await alice.json(`/api/search?q=${encodeURIComponent(q)}${more}`));

/** A conversation about something, and its id. */
async function talkAbout(text: string): Promise<string> {
  const { conversationId } = finalOf(await alice.ask(question(text, { chatGptLabel: 'Sage' }))).conversation;
  // Its title may be found before its messages are.
  await expect.poll(async () => (await search(text)).messages.length).toBeGreaterThan(0);
  return conversationId;
}

describe('a search', () => {
  it('returns conversations and the messages found in them, with hits in bold', async () => {
    const conversationId = await talkAbout('What is a Zeppelin?');
    const page = await search('zeppelin', '&pageNumber=1');
    expect(page).toMatchObject({ pages: 1, pageNumber: 1, pageSize: 25 });
    expect(page.conversations.map((convo) => convo.conversationId)).toEqual([conversationId]);
    const asked = page.messages.find(({ isCreatedByUser }) => isCreatedByUser);
    expect(asked).toMatchObject({ text: 'What is a **Zeppelin**?', conversationId, chatGptLabel: 'Sage' });
    expect(asked?.title).toBe(page.conversations[0]?.title);
  });

  it('has 25 conversations a page, those with the most hits first', async () => {
    const bob = await signUp(server.url, 'bob');
    await server.db.sql`
      insert into convos (user_id, id, title, endpoint, endpoint_type, model, change_seq)
      select ${bob.id}, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Balloon ' || n, 'openAI',
        'openAI', 'gpt-4', 0 from generate_series(1, 30) as n`;
    await server.db.sql`
      insert into messages (user_id, id, convo_id, depth, is_created_by_user, sender, endpoint, endpoint_type, model, parts)
      select ${bob.id}, gen_random_uuid(), '00000000-0000-4000-8000-000000000007', n, true, 'User', 'openAI', 'openAI',
        'gpt-4', '[{"type":"text","text":"balloon"}]' from generate_series(1, 3) as n`;
    const first = Page.parse(await bob.json('/api/search?q=balloon'));
    expect(first).toMatchObject({ pages: 2, pageNumber: 1 });
    expect(first.conversations).toHaveLength(25);
    expect(first.conversations[0]?.title).toBe('Balloon 7');
    expect(first.messages.map(({ text }) => text)).toEqual(['**balloon**', '**balloon**', '**balloon**']);
    const second = Page.parse(await bob.json('/api/search?q=balloon&pageNumber=2'));
    expect(second.conversations).toHaveLength(5);
    expect(second.messages).toEqual([]);
    const seen = [...first.conversations, ...second.conversations].map((convo) => convo.conversationId);
    expect(new Set(seen).size).toBe(30);
  });

  it.each(['nowhere to be found', '', '%', '\u0000', 'x'.repeat(10_000), '***'])(
    'for %j is one empty page',
    async (q) => {
      expect(await search(q)).toEqual({ conversations: [], pages: 1, pageNumber: 1, pageSize: 25, messages: [] });
    },
  );

  it.each([
    ['0', 1],
    ['-1', 1],
    ['x', 1],
    ['NaN', 1],
    ['1.5', 1],
    ['1e9', 1_000_000],
  ])('for page %s returns page %i', async (n, pageNumber) => {
    const response = await alice.get(`/api/search?q=x&pageNumber=${n}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ pageNumber });
  });

  it('requires a session', async () => {
    expect((await fetch(`${server.url}/api/search?q=x`)).status).toBe(401);
  });

  it('is on unless it is turned off', async () => {
    expect(await alice.json('/api/search/enable')).toBe(true);
    const without = await startTestServer({ env: { SEARCH: 'false' } });
    const bob = await signUp(without.url, 'bob');
    expect(await bob.json('/api/search/enable')).toBe(false);
    const refused = await bob.get('/api/search?q=x');
    expect(refused.status).toBe(500);
    expect(await refused.json()).toEqual({ message: 'Searching is switched off here.' });
    await without.close();
  });
});
