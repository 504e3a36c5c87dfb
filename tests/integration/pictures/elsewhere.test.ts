// Where pictures of answers turn up: side by side, after a queue, in links, files, and in front of REST clients.
import { randomUUID } from 'node:crypto';
import { queuedAsks } from '@parley/db/tables/drafts';
import { addCredits } from '@parley/server/billing/balances';
import { sendDueQuestions } from '@parley/server/queue/send-due';
import { presentContent } from '@parley/server/rest/present/present-content';
import { buildTree, latestLeaf, pathTo } from '@parley/schema/messages/tree';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asJson } from '../../../web/src/export/as-json.ts';
import { exchange, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { importFor } from '../transfer/import-file.ts';
import { imagesIn, PICTURES } from './asks.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices(PICTURES);
  alice = await services.as('alice');
  await addCredits(services.deps.db, alice.id, 10_000_000);
});
afterAll(() => services.close());

const draw = (text: string) =>
  exchange(services, alice.id, question(text, { model: 'dall-e-3', picture: { n: 1, size: 'wide', quality: 'fine' } }));

it('pictures stand beside words in answers side by side', async () => {
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text: 'A boat' };
  const conversationId = randomUUID();
  const asks = ['gpt-image-1', 'fake:echo'].map((model) => {
    const { generationId, replyId, endpoint, settings } = question('');
    return { generationId, replyId, endpoint, settings, model, target };
  });
  await alice.api.messages.askMany({ conversationId, asks });
  const ends = await Promise.all(asks.map(({ generationId }) => readAll(services, alice.id, generationId)));
  const types = ends.map((entries) => {
    const event = entries.at(-1)?.event;
    return event?.type === 'final' ? event.reply.parts.map(({ type }) => type) : [];
  });
  expect(types).toEqual([['image'], ['text']]);
});

it('a question that waited is answered with pictures like those before', async () => {
  const drawn = await draw('A boat');
  const { conversationId } = drawn.convo;
  await alice.api.queue.add({ id: randomUUID(), conversationId, text: 'Another one' });
  const { db, askService } = services.deps;
  await sendDueQuestions({ db, askService, graceMs: 0 });
  await expect
    .poll(async () => (await alice.api.messages.list({ conversationId })).at(-1)?.parts.map(({ type }) => type))
    .toEqual(['image']);
  const reply = (await alice.api.messages.list({ conversationId })).at(-1);
  expect(reply?.context?.picture).toMatchObject({ n: 1, size: 'wide', quality: 'fine' });
  expect(await db.query.select().from(queuedAsks).where(eq(queuedAsks.convoId, conversationId))).toEqual([]);
});

it('REST clients and links have the picture, and an export brings back what it was made from', async () => {
  const drawn = await draw('A lighthouse');
  const [image] = imagesIn(drawn);
  expect(presentContent(drawn.reply.parts)).toMatchObject([
    { type: 'image_file', image_file: { file_id: image?.fileId, width: 1792, height: 1024, prompt: 'A lighthouse' } },
  ]);
  const { conversationId } = drawn.convo;
  const share = await alice.api.shares.create({ conversationId, leafId: null });
  const { thread } = await alice.api.shares.read({ id: share.id });
  expect(thread.messages.at(-1)?.parts).toMatchObject([{ type: 'file', file: { width: 1792, height: 1024 } }]);

  const tree = buildTree(await alice.api.messages.list({ conversationId }));
  const path = pathTo(tree, latestLeaf(tree)?.messageId ?? '');
  const transcript = { convo: drawn.convo, title: 'A', tree, path, exportAt: '12:00:00', failureOf: () => '' };
  const file = asJson(transcript, { includeOptions: true, exportBranches: true, recursive: false }).join('');
  const lines = await importFor(services, alice, file);
  const imported = lines.flatMap((line) => ('conversationId' in line ? (line.conversationId ?? []) : []));
  const reply = (await alice.api.messages.list({ conversationId: imported[0] ?? '' })).at(-1);
  expect(reply?.parts).toMatchObject([
    { type: 'image', size: 'wide', credits: 120_000, prompt: 'A lighthouse', revisedPrompt: 'A lighthouse, in detail' },
  ]);
  expect(reply?.context?.picture).toEqual({ n: 1, size: 'wide', quality: 'fine', from: [] });
});
