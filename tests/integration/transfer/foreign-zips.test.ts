// The ZIP files of ChatGPT's and Claude's data exports, as they are downloaded.
import { randomUUID } from 'node:crypto';
import { files } from '@parley/db/tables/files';
import { messageAttachments, messageText } from '@parley/schema/messages/messages';
import { isNull } from 'drizzle-orm';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { importInto, jsonOf } from './archives.ts';

let here: HttpClients;
let alice: Browser;

beforeAll(async () => {
  here = await openHttpClients();
  alice = await here.signUp('alice');
});
afterAll(async () => {
  await alice?.close();
  await here?.close();
});

test("ChatGPT's: the conversations come with their images, the account that lies beside them is left alone", async () => {
  const entries = {
    'conversations.json': jsonOf([chatGptConvo('Kites'), chatGptConvo('Boats')]),
    ...beside(),
    'file_000000001-kite.png': await image('red'),
    'dalle-generations/file_000000002.dat': await image('blue'),
    'file_000000003-sanitized.png': Uint8Array.of(0, 1, 2, 3),
    'conversation_asset_file_names.json': jsonOf({ 'file_000000002.dat': 'a kite.png' }),
  };
  const zip = zipSync(entries);
  const told = await importInto(here, alice, zip);
  expect(told.items).toMatchObject([
    { index: 0, title: 'Kites', outcome: 'imported' },
    { index: 1, title: 'Boats', outcome: 'imported' },
  ]);
  expect([told.others, told.end]).toEqual([[], { end: true, items: 2, fault: null }]);
  expect(told.files).toEqual([
    { kind: 'file', name: 'kite.png', outcome: 'imported' },
    { kind: 'file', name: 'a kite.png', outcome: 'imported' },
    { kind: 'file', name: 'file_000000003-sanitized.png', outcome: 'skipped', reason: 'type' },
  ]);
  const messages = await messagesOf('Kites');
  expect(messages.map(({ sender, isCreatedByUser }) => [sender, isCreatedByUser])).toEqual([
    ['User', true],
    ['GPT-4', false],
    ['User', true],
    ['GPT-4', false],
  ]);
  expect(messages.map(messageText)).toEqual([
    'What is on this picture of Kites?',
    'A **kite** over the sea.',
    'Draw another one',
    'Here it is.',
  ]);
  expect(messages[3]?.parts).toMatchObject([
    { type: 'reasoning', text: 'Planning\nIt wants a picture.' },
    {
      type: 'tool_call',
      call: { name: 'dalle.text2im', output: null, outputs: [{ type: 'image', name: 'a kite.png' }] },
    },
    { type: 'text', text: 'Here it is.' },
  ]);
  const [shown] = messageAttachments(messages[0] ?? { parts: [] });
  expect(shown).toMatchObject({ type: 'image', name: 'kite.png', width: 3, height: 2 });
  // What a message shows stays; what none shows expires like an upload that nobody sends.
  const kept = await here.services.deps.db.query.select().from(files).where(isNull(files.expiresAt));
  expect(kept.map(({ name }) => name).toSorted()).toEqual(['a kite.png', 'kite.png']);
  expect(messages[0]?.createdAt).toBe('2025-06-01T10:00:00.000Z');
  const again = await importInto(here, alice, zip);
  expect(again.items).toMatchObject([{ outcome: 'present' }, { outcome: 'present' }]);
  expect(again.files.map(({ outcome }) => outcome)).toEqual(['present', 'present', 'skipped']);
});

test('an export that somebody unpacked and packed again in its folder comes; two folders are refused', async () => {
  const folder = 'chatgpt-export/2025 June/';
  const within = {
    'conversations.json': jsonOf([chatGptConvo('Packed again')]),
    'file_000000001-kite.png': await image('red'),
  };
  const packed = Object.fromEntries(Object.entries(within).map(([name, bytes]) => [folder + name, bytes]));
  const told = await importInto(
    here,
    alice,
    zipSync({ ...packed, [`__MACOSX/${folder}._conversations.json`]: strToU8('x') }),
  );
  expect(told.items).toMatchObject([{ title: 'Packed again', outcome: 'imported' }]);
  expect(told.files).toMatchObject([{ name: 'kite.png', outcome: 'present' }]);
  const two = zipSync({ 'a/conversations.json': jsonOf([]), 'b/conversations.json': jsonOf([]) });
  expect((await importInto(here, alice, two)).end).toEqual({ end: true, items: 0, fault: 'foreign_zip' });
});

test("ChatGPT's newer one, whose conversations are divided among numbered files", async () => {
  const titles = Array.from({ length: 25 }, (_, n) => `Number ${n}`);
  const shard = (from: number) => jsonOf(titles.slice(from, from + 10).map((title) => chatGptConvo(title)));
  const zip = zipSync({
    'conversations-002.json': shard(20),
    'conversations-000.json': shard(0),
    'conversations-001.json': shard(10),
    'conversations.json.index': strToU8('{}'),
    'export_manifest.json': jsonOf({ version: 1 }),
    ...beside(),
  });
  const told = await importInto(here, alice, zip);
  expect(told.items.map(({ index, title }) => [index, title])).toEqual(titles.map((title, n) => [n, title]));
  expect(told.end).toEqual({ end: true, items: 25, fault: null });
  expect(told.progress.at(-1)).toBe(1);
  expect(told.progress).toEqual(told.progress.toSorted((a, b) => a - b));
});

test("Claude's: texts, reasoning, tools and the texts of attachments come", async () => {
  const zip = zipSync({
    'conversations.json': jsonOf([claudeConvo()]),
    'users.json': jsonOf([{ uuid: randomUUID(), full_name: 'Alice', email_address: 'alice@example.com' }]),
    'projects.json': jsonOf([{ uuid: randomUUID(), name: 'Sea', docs: [], prompt_template: '' }]),
    'memories.json': jsonOf([{ conversations_memory: 'Likes the sea' }]),
  });
  const told = await importInto(here, alice, zip);
  expect(told.items).toMatchObject([{ title: 'Letters', outcome: 'imported', messages: 4 }]);
  const messages = await messagesOf('Letters');
  expect(messages.map(messageText)).toEqual([
    'Read this\n[file: note.txt]\n> One\n> Two\n[file: photo.png]',
    'Two lines.',
    'Search for more',
    'Nothing more.',
  ]);
  expect(messages[3]?.parts).toMatchObject([
    { type: 'reasoning', text: 'I should search.' },
    { type: 'tool_call', call: { name: 'web_search', input: '{"query":"more"}', output: 'One page' } },
    { type: 'text', text: 'Nothing more.' },
  ]);
  expect((await importInto(here, alice, zip)).items).toMatchObject([{ outcome: 'present' }]);
});

async function messagesOf(title: string) {
  const { convos } = await alice.api.convos.list.query({ limit: 100 });
  const convo = convos.find((one) => one.title === title);
  return alice.api.messages.list.query({ conversationId: convo?.conversationId ?? '' });
}

const image = (background: string) =>
  sharp({ create: { width: 3, height: 2, channels: 3, background } })
    .png()
    .toBuffer();

/** What ChatGPT puts beside the conversations. */
function beside(): Record<string, Uint8Array> {
  return {
    'user.json': jsonOf({ id: 'user-1', email: 'alice@example.com', chatgpt_plus_user: true }),
    'user_settings.json': jsonOf({ settings: { voice_name: 'breeze' } }),
    'message_feedback.json': jsonOf([]),
    'shared_conversations.json': jsonOf([{ id: randomUUID(), conversation_id: randomUUID(), title: 'Kites' }]),
    'chat.html': strToU8('<html><script>var jsonData = []</script></html>'),
  };
}

/** A conversation with hidden nodes, an image, reasoning and a tool, in the shape of the export. */
function chatGptConvo(title: string) {
  const began = Date.parse('2025-06-01T10:00:00Z') / 1000;
  const asset = (pointer: string) => ({
    content_type: 'image_asset_pointer',
    asset_pointer: `sediment://${pointer}`,
    size_bytes: 8,
    width: 512,
    height: 512,
    metadata: { sanitized: true },
  });
  const nodes: [string, string, object, object?][] = [
    ['system', 'system', { content_type: 'text', parts: [''] }, { is_visually_hidden_from_conversation: true }],
    [
      'context',
      'user',
      { content_type: 'user_editable_context', user_profile: 'Likes the sea', user_instructions: '' },
      { is_visually_hidden_from_conversation: true },
    ],
    [
      'q',
      'user',
      { content_type: 'multimodal_text', parts: [asset('file_000000001'), `What is on this picture of ${title}?`] },
    ],
    [
      'a',
      'assistant',
      { content_type: 'text', parts: ['A **kite** over the sea.'] },
      { finish_details: { type: 'stop' } },
    ],
    ['q2', 'user', { content_type: 'text', parts: ['Draw another one'] }],
    [
      'thoughts',
      'assistant',
      { content_type: 'thoughts', thoughts: [{ summary: 'Planning', content: 'It wants a picture.' }] },
    ],
    ['recap', 'assistant', { content_type: 'reasoning_recap', content: 'Thought for 3 seconds' }],
    ['call', 'assistant', { content_type: 'code', language: 'json', text: '{"prompt":"a kite"}' }],
    ['made', 'tool', { content_type: 'multimodal_text', parts: [asset('file_000000002')] }],
    ['a2', 'assistant', { content_type: 'text', parts: ['Here it is.'] }],
  ];
  const ids = new Map(nodes.map(([name]) => [name, randomUUID()]));
  const order = ['client-created-root', ...nodes.map(([name]) => ids.get(name) ?? '')];
  const mapping = Object.fromEntries(
    nodes.map(([name, role, content, metadata = {}], n) => {
      const id = ids.get(name) ?? '';
      const message = {
        id,
        author: { role, name: role === 'tool' ? 'dalle.text2im' : null, metadata: {} },
        create_time: name === 'system' ? null : began,
        update_time: null,
        content,
        status: 'finished_successfully',
        end_turn: null,
        weight: 1,
        metadata: { model_slug: role === 'assistant' ? 'gpt-4' : undefined, ...metadata },
        recipient: name === 'call' ? 'dalle.text2im' : 'all',
        channel: null,
      };
      return [id, { id, message, parent: order[n], children: order[n + 2] === undefined ? [] : [order[n + 2]] }];
    }),
  );
  const id = randomUUID();
  return {
    title,
    create_time: began,
    update_time: began + 60,
    mapping: {
      'client-created-root': { id: 'client-created-root', message: null, parent: null, children: [order[1]] },
      ...mapping,
    },
    moderation_results: [],
    current_node: order.at(-1),
    plugin_ids: null,
    conversation_id: id,
    conversation_template_id: null,
    gizmo_id: null,
    is_archived: false,
    safe_urls: [],
    default_model_slug: 'gpt-4',
    voice: null,
    id,
  };
}

function claudeConvo() {
  const time = '2025-07-01T10:00:00.000000Z';
  const text = (said: string) => ({
    start_timestamp: time,
    stop_timestamp: time,
    type: 'text',
    text: said,
    citations: [],
  });
  const said = (sender: string, content: object[], over: object = {}) => ({
    uuid: randomUUID(),
    text: content.map((block) => ('text' in block ? block.text : '')).join('\n'),
    content,
    sender,
    created_at: time,
    updated_at: time,
    attachments: [],
    files: [],
    ...over,
  });
  return {
    uuid: randomUUID(),
    name: 'Letters',
    summary: '',
    created_at: time,
    updated_at: time,
    account: { uuid: randomUUID() },
    chat_messages: [
      said('human', [text('Read this')], {
        attachments: [{ file_name: 'note.txt', file_size: 7, file_type: 'txt', extracted_content: 'One\nTwo' }],
        files: [{ file_name: 'photo.png' }],
      }),
      said('assistant', [text('Two lines.')]),
      said('human', [text('Search for more')]),
      said('assistant', [
        { start_timestamp: time, stop_timestamp: time, type: 'thinking', thinking: 'I should search.', summaries: [] },
        { type: 'tool_use', id: null, name: 'web_search', input: { query: 'more' }, message: 'Searching' },
        { type: 'tool_result', name: 'web_search', content: [{ type: 'text', text: 'One page' }], is_error: false },
        text('Nothing more.'),
      ]),
    ],
  };
}
