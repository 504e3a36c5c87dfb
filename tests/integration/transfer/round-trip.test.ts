// What is exported can be imported, and exported again it is the same.
import { randomUUID } from 'node:crypto';
import { messages } from '@parley/db/tables/messages';
import type { ContextFile, ContextImage, Message } from '@parley/schema/messages/messages';
import { buildTree, latestLeaf, pathTo } from '@parley/schema/messages/tree';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asJson } from '../../../web/src/export/as-json.ts';
import type { Transcript } from '../../../web/src/export/transcript.ts';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { importFor } from './import-file.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;
let conversationId: string;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
  conversationId = await talk();
});
afterAll(() => services?.close());

const everything = { includeOptions: true, exportBranches: true };

test.each([
  ['a tree', true],
  ['a list', false],
])('as %s: exported, imported by another user and exported again it is equal', async (_name, recursive) => {
  const before = await exported(alice, conversationId, { ...everything, recursive });
  const [item] = await importFor(services, bob, before);
  if (!item || !('conversationId' in item)) throw new Error('Nothing was imported');
  const after = await exported(bob, item.conversationId, { ...everything, recursive });
  expect(withoutIds(after)).toEqual(withoutIds(before));
  expect(withoutIds(before)).toContain('Nobody knows');
  expect(withoutIds(after)).toContain('They nest above the mill.');
  expect(withoutIds(after)).toMatch(/"type": ?"reasoning", ?"tookMs": ?\d/);
  expect(withoutIds(after)).toContain('"rating":-1');
  expect(withoutIds(after)).toMatch(/"why": ?"damaged"/);
  if (!recursive) expect(item).toMatchObject({ outcome: 'present' });
});

test('an imported export of an existing conversation adds nothing, whatever part of it the file has', async () => {
  for (const exportBranches of [true, false]) {
    const file = await exported(alice, conversationId, { ...everything, exportBranches, recursive: true });
    expect(await importFor(services, alice, file)).toMatchObject([
      { outcome: 'present', conversationId },
      { end: true },
    ]);
  }
});

test('the export without branches is the branch on screen', async () => {
  const file = await exported(alice, conversationId, {
    includeOptions: false,
    exportBranches: false,
    recursive: false,
  });
  const { messages, options } = JSON.parse(file) as { messages: { text: string }[]; options?: unknown };
  expect(options).toBeUndefined();
  expect(messages.map(({ text }) => text)).toEqual(['Who knows?', 'Who knows?', 'More of it', 'More of it']);
});

/** As if the model had been shown a file and had cited it. */
async function cite({ messageId, parts, context }: Message): Promise<void> {
  const { query } = services.deps.db;
  const [fileId, name] = [randomUUID(), 'birds.pdf'];
  const citations = [{ at: 4, fileId, name, page: 7, n: 12, quote: 'They nest above the mill.' }];
  const files: ContextFile[] = [
    { fileId, name, shown: 'passages', passages: [{ n: 12, page: 7 }] },
    { fileId: randomUUID(), name: 'torn.pdf', shown: 'name', why: 'damaged' },
  ];
  const cited = { parts: [...parts, { type: 'text' as const, text: 'See [1]', citations }] };
  const size = { width: 1500, height: 1000, tokens: 1105 };
  const images: ContextImage[] = [{ fileId: randomUUID(), name: 'tree.png', detail: 'high', ...size }];
  const record = { window: 1, included: 1, omitted: 0, ...context, files, images: [...images, { fileId, ...size }] };
  await query
    .update(messages)
    .set({ ...cited, context: record })
    .where(eq(messages.id, messageId));
}

/** A conversation with reasoning, branches, a failure and an answer that was cut. */
async function talk(): Promise<string> {
  const first = await exchange(
    services,
    alice.id,
    question('Nobody knows', { model: 'fake:reasoning', settings: { temperature: 0.4 } }),
  );
  const { conversationId: id } = first.convo;
  await exchange(services, alice.id, followUp('Fail', first, { model: 'fake:error-500' }));
  await exchange(services, alice.id, followUp('Too long', first, { model: 'fake:length' }));
  const target = { kind: 'regenerate', parentMessageId: first.request.messageId } as const;
  await exchange(services, alice.id, question('', { conversationId: id, target }));
  const root = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Who knows?' } as const;
  const other = await exchange(services, alice.id, question('', { conversationId: id, target: root }));
  await exchange(services, alice.id, followUp('More of it', other));
  await cite(first.reply);
  await alice.api.messages.rate({ conversationId: id, messageId: first.reply.messageId, rating: -1 });
  return id;
}

async function exported(person: Person, id: string, choices: Parameters<typeof asJson>[1]): Promise<string> {
  const convo = await person.api.convos.byId({ conversationId: id });
  const tree = buildTree(await person.api.messages.list({ conversationId: id }));
  const transcript: Transcript = {
    convo,
    title: convo.title ?? 'New Chat',
    tree,
    path: pathTo(tree, latestLeaf(tree)?.messageId ?? ''),
    exportAt: '12:00:00',
    failureOf: () => 'It failed.',
  };
  return asJson(transcript, choices).join('');
}

/** Each id is replaced by the place where it is first named. */
function withoutIds(file: string): string {
  const known = new Map<string, string>();
  return file.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    const name = known.get(id) ?? `id ${known.size}`;
    known.set(id, name);
    return name;
  });
}
