// Exports of other apps as their files arrive: several conversations in one object, pictures within the text, ZIP files.
import { randomUUID } from 'node:crypto';
import { findArtifacts } from '@parley/schema/artifacts/find-artifacts';
import { messageAttachments, messageText } from '@parley/schema/messages/messages';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { importInto, jsonOf } from './archives.ts';
import { importFor } from './import-file.ts';

const TIME = '2026-05-03T10:00:00.000000Z';
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

test('an object with several conversations stores each, and another import finds them', async () => {
  const chat = (n: number) => ({ id: `x${n}`, name: `Poem ${n}`, messages: [{ role: 'user', content: 'Hi' }] });
  const file = [{ version: 4, history: [chat(0), chat(1), { ...chat(2), messages: [] }], folders: [] }, { a: 1 }];
  const lines = await send(file);
  expect(lines).toMatchObject([
    { index: 0, part: 0, title: 'Poem 0', outcome: 'imported' },
    { index: 0, part: 1, title: 'Poem 1', outcome: 'imported' },
    { index: 0, part: 2, title: 'Poem 2', outcome: 'skipped', reason: 'no_messages' },
    { index: 1, outcome: 'skipped', reason: 'unknown_kind' },
    { end: true, items: 4, fault: null },
  ]);
  expect((await send(file)).slice(0, 2)).toMatchObject([{ outcome: 'present' }, { outcome: 'present' }]);
});

test("Open WebUI's pictures become files, texts of files stand below, and what was not done is unfinished", async () => {
  const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const address = `data:image/png;base64,${png.toString('base64')}`;
  const message = (id: string, parentId: string | null, role: string, over: object) => ({
    id,
    parentId,
    role,
    timestamp: 1,
    ...over,
  });
  const messages = {
    q: message('q', null, 'user', {
      content: 'What is this?',
      files: [
        { type: 'image', url: address },
        { type: 'image', url: '/api/v1/files/1/content', name: 'far.png' },
        { type: 'file', name: 'note.txt', file: { filename: 'note.txt', data: { content: 'One\nTwo' } } },
      ],
    }),
    a: message('a', 'q', 'assistant', {
      content: `A red one. ![red](${address})`,
      done: true,
      annotation: { rating: -1 },
      sources: [{ source: { name: 'Red', url: 'https://red.example/' } }],
    }),
    b: message('b', 'q', 'assistant', { content: 'Half', done: false }),
  };
  await send([{ id: randomUUID(), title: 'Pictures', chat: { models: ['llava'], history: { messages } } }]);
  const [question, whole, half] = await messagesOf('Pictures');
  expect(messageAttachments(question ?? { parts: [] })).toMatchObject([{ type: 'image', width: 4, height: 3 }]);
  expect(messageText(question ?? { parts: [] })).toBe(
    'What is this?\n[image: far.png]\n[file: note.txt]\n> One\n> Two',
  );
  expect(messageAttachments(whole ?? { parts: [] })).toHaveLength(1);
  expect(whole).toMatchObject({ rating: -1, unfinished: false });
  expect(messageText(whole ?? { parts: [] })).toContain('([Red](https://red.example/))');
  expect(half).toMatchObject({ unfinished: true });
});

test("Claude's artifacts are artifacts, its projects folders with their files, and its memories are said", async () => {
  const uuid = randomUUID();
  const call = (input: object) => ({ type: 'tool_use', id: randomUUID(), name: 'artifacts', input });
  const said = (sender: string, content: object[]) => ({
    uuid: randomUUID(),
    sender,
    text: '',
    content,
    created_at: TIME,
    updated_at: TIME,
  });
  const page = { id: 'page', type: 'text/html', title: 'Page', command: 'create', content: '<p>Old</p>' };
  const older = '<antArtifact identifier="logo" type="image/svg+xml" title="Logo"><svg></svg></antArtifact> Done.';
  const chat_messages = [
    said('human', [{ type: 'text', text: 'Make a page' }]),
    said('assistant', [{ type: 'text', text: 'Here:' }, call(page), { type: 'text', text: 'Good?' }]),
    said('human', [{ type: 'text', text: 'New' }]),
    said('assistant', [
      call({ id: 'page', command: 'update', old_str: 'Old', new_str: 'New' }),
      { type: 'text', text: older },
    ]),
  ];
  const zip = zipSync({
    'conversations.json': jsonOf([
      {
        uuid: randomUUID(),
        name: 'Web',
        created_at: TIME,
        updated_at: TIME,
        chat_messages,
        project: { uuid, name: 'Site' },
      },
    ]),
    'projects.json': jsonOf([
      {
        uuid,
        name: 'Site',
        prompt_template: 'Be plain',
        is_starter_project: false,
        docs: [{ filename: 'spec.md', content: '# Spec' }],
      },
      {
        uuid: randomUUID(),
        name: 'How to use Claude',
        is_starter_project: true,
        docs: [{ filename: 'x.md', content: 'x' }],
      },
    ]),
    'memories.json': jsonOf([{ conversations_memory: 'Likes the sea' }]),
  });
  const told = await importInto(here, alice, zip);
  expect(told.files).toEqual([
    { kind: 'file', name: 'spec.md', outcome: 'imported' },
    { kind: 'file', name: 'memories.json', outcome: 'skipped', reason: 'memories' },
  ]);
  const messages = await messagesOf('Web');
  const artifacts = findArtifacts(messages.map(messageText));
  expect(artifacts.map(({ title, source }) => [title, source])).toEqual([
    ['Page', '<p>Old</p>'],
    ['Page', '<p>New</p>'],
    ['Logo', '<svg></svg>'],
  ]);
  const folders = await alice.api.folders.list.query();
  const [spec] = (await alice.api.files.list.query({})).files.filter(({ name }) => name === 'spec.md');
  expect(folders).toMatchObject([{ name: 'Site', instructions: 'Be plain', fileIds: [spec?.fileId] }]);
  const { convos } = await alice.api.convos.list.query({ limit: 100 });
  expect(convos.find(({ title }) => title === 'Web')?.folderId).toBe(folders[0]?.id);
  expect((await importInto(here, alice, zip)).files[0]).toMatchObject({ name: 'spec.md', outcome: 'present' });
});

test("the ZIP files of Google Takeout and of Grok are read, and Grok's pictures with them", async () => {
  const activity = {
    header: 'Gemini Apps',
    title: 'Prompted Why is the sky blue?',
    time: TIME,
    safeHtmlItem: [{ html: '<p>Light.</p>' }],
  };
  const takeout = zipSync({
    'Takeout/archive_browser.html': Buffer.from('<html>'),
    'Takeout/Meine Aktivitäten/Gemini-Apps/MeineAktivitäten.json': jsonOf([activity]),
  });
  expect((await importInto(here, alice, takeout)).items).toMatchObject([
    { title: 'Why is the sky blue?', outcome: 'imported', messages: 2 },
  ]);
  const asset = randomUUID();
  const picture = await sharp({ create: { width: 5, height: 5, channels: 3, background: 'blue' } })
    .png()
    .toBuffer();
  const response = {
    _id: randomUUID(),
    sender: 'human',
    message: 'Look',
    file_attachments: [asset],
    create_time: TIME,
  };
  const conversation = { id: randomUUID(), title: 'Blue', create_time: TIME, modify_time: TIME };
  const grok = zipSync({
    'ttl/30d/export_data/u/prod-grok-backend.json': jsonOf({
      conversations: [{ conversation, responses: [{ response }] }],
    }),
    [`ttl/30d/export_data/u/prod-mc-asset-server/${asset}/content`]: picture,
  });
  expect((await importInto(here, alice, grok)).items).toMatchObject([{ title: 'Blue', outcome: 'imported' }]);
  const [shown] = await messagesOf('Blue');
  expect(messageAttachments(shown ?? { parts: [] })).toMatchObject([{ type: 'image', width: 5, height: 5 }]);
});

test('a ZIP file and an item of an app of which nothing is read are named', async () => {
  const html = await importInto(
    here,
    alice,
    zipSync({ 'Takeout/My Activity/Gemini Apps/MyActivity.html': Buffer.from('<html>') }),
  );
  expect(html.items).toMatchObject([{ outcome: 'skipped', reason: 'other_form', product: 'Gemini (MyActivity.html)' }]);
  expect(html.end).toMatchObject({ fault: 'foreign_zip' });
  const lines = await send([{ 'chat-next-web-store': {} }]);
  expect(lines[0]).toMatchObject({ outcome: 'skipped', reason: 'other_product', product: 'NextChat' });
});

test("a conversation of a project of ChatGPT's comes into a folder", async () => {
  const message = { author: { role: 'user' }, content: { content_type: 'text', parts: ['Hi'] }, create_time: 1 };
  const mapping = { a: { parent: null, children: [], message } };
  await send([{ conversation_id: randomUUID(), title: 'In a project', gizmo_id: 'g-p-67ab12cd99', mapping }]);
  const folders = await alice.api.folders.list.query();
  const folder = folders.find(({ name }) => name === 'ChatGPT project 67ab12cd');
  const { convos } = await alice.api.convos.list.query({ limit: 100 });
  expect(convos.find(({ title }) => title === 'In a project')?.folderId).toBe(folder?.id);
});

const send = (file: unknown) => importFor(here.services, { id: alice.userId }, file);

async function messagesOf(title: string) {
  const { convos } = await alice.api.convos.list.query({ limit: 100 });
  const convo = convos.find((one) => one.title === title);
  return alice.api.messages.list.query({ conversationId: convo?.conversationId ?? '' });
}
