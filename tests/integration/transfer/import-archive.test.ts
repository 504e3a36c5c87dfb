// What "Export everything" writes comes back whole in another installation.
import { randomUUID } from 'node:crypto';
import { convos } from '@parley/db/tables/convos';
import { files } from '@parley/db/tables/files';
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import { messageAttachments, messageToolFiles, type Message } from '@parley/schema/messages/messages';
import { isKept, keepFile } from '@parley/server/files/attach-files';
import { saveGeneratedImage } from '@parley/server/files/save-generated-image';
import { and, eq } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { longPdf, types } from '../../support/retrieval/documents.ts';
import { addFile, awaitState } from '../../support/retrieval/stored-files.ts';
import { createTool, sourceOf } from '../../support/tools/agents.ts';
import { keepTestFile, upload } from '../../support/uploads.ts';
import { changed, exportOf, importInto, jsonOf } from './archives.ts';

const env = { OPENAI_MODELS: 'fake:cite,gpt-4', TITLE_CONVO: 'false' };
const paint = createTool('paint', {
  async run({ userId }) {
    const bytes = await ownImage(1500, 1200, 'red');
    const image = await saveGeneratedImage(here.services.deps, { userId, bytes, name: 'kite', prompt: 'a red kite' });
    return { type: 'done', text: 'It is painted.', outputs: [image] };
  },
});

let here: HttpClients;
let there: HttpClients;
let alice: Browser;
/** Somebody of the other installation. */
let bob: Browser;
let archive: Uint8Array;
let asked: FinalEvent;

beforeAll(async () => {
  here = await openHttpClients({ env, toolSources: [sourceOf(paint)] });
  there = await openHttpClients({ env });
  alice = await here.signUp('alice');
  bob = await there.signUp('bob');
  asked = await live(alice);
  archive = await exportOf(here, alice);
});
afterAll(async () => {
  await alice?.close();
  await bob?.close();
  await here?.close();
  await there?.close();
});

const ownImage = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

const headersOf = ({ token }: Browser) => ({ authorization: `Bearer ${token}` });

/** What a person of a few chats has. Returns the answer that cites her PDF. */
async function live({ userId, api, ...browser }: Browser): Promise<FinalEvent> {
  const { services, host } = here;
  const send = (text: string, over: Partial<AskInput> = {}, own: string[] = []) => {
    const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text, files: own } as const;
    return exchange(services, userId, question(text, { model: 'gpt-4', ...over, target }));
  };
  const bytes = await ownImage(30, 20, 'blue');
  const form = { bytes, name: 'blue sky.png', type: 'image/png', fields: { width: '30', height: '20' } };
  const sky = await upload(`http://${host}`, { headers: headersOf({ ...browser, userId, api }) }, form);
  const seen = await send('What colour is this?', {}, [sky.file_id]);
  await send('Paint a kite [[call-tool:paint {}]]', { settings: { tools: ['paint'] } });
  const birds = await addFile(services, { id: userId }, longPdf(), { name: 'birds.pdf', mime: types.pdf });
  const cited = await send('At what height do the red kites nest?', { model: 'fake:cite' }, [birds]);
  await services.deps.db.query
    .update(convos)
    .set({ isArchived: true, isPinned: true })
    .where(eq(convos.id, seen.convo.conversationId));
  const preset = await api.presets.save.mutate({
    title: 'Careful',
    endpoint: 'openAI',
    model: 'gpt-4',
    settings: { temperature: 0.2 },
    isDefault: true,
  });
  await api.presets.save.mutate({ title: 'Unknown here', endpoint: null });
  const folder = { name: 'Birds', color: 'teal', instructions: 'Be brief', presetId: preset.presetId } as const;
  const { id: folderId } = await api.folders.create.mutate({ id: randomUUID(), ...folder });
  await api.folders.create.mutate({ id: randomUUID(), name: 'Empty' });
  await api.convos.moveToFolder.mutate({ conversationIds: [cited.convo.conversationId], folderId });
  await api.settings.set.mutate({ theme: 'dark', textSize: 'large' });
  // Whose message is gone, so that only the list of files has it.
  const lonely = await keepTestFile(services.deps, userId, { name: 'lonely.txt', text: 'all alone' });
  await services.deps.db.query.update(files).set({ expiresAt: null }).where(eq(files.id, lonely.id));
  await keepTestFile(services.deps, userId, { name: 'draft.txt', text: 'never sent' });
  // Nothing but her own wish.
  await keepFile(
    services.deps.db,
    userId,
    await keepTestFile(services.deps, userId, { name: 'kept.txt', text: 'mine' }),
  );
  return cited;
}

async function messagesOf({ api }: Browser): Promise<Message[]> {
  const [active, archived] = await Promise.all([api.convos.list.query({}), api.convos.list.query({ archived: true })]);
  const all = [...active.convos, ...archived.convos];
  const threads = await Promise.all(all.map(({ conversationId }) => api.messages.list.query({ conversationId })));
  return threads.flat();
}

const filesOf = async ({ api }: Browser) =>
  (await api.files.list.query({})).files.toSorted((a, b) => (a.name < b.name ? -1 : 1));

async function bytesOf({ host }: HttpClients, browser: Browser, path: string): Promise<Buffer> {
  const response = await fetch(`http://${host}${path}`, { headers: headersOf(browser) });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

test('files, with the messages that show them, are those of the new account', async () => {
  const told = await importInto(there, bob, archive);
  expect(told.end).toEqual({ end: true, items: 3, fault: null });
  expect(told.items).toMatchObject([{ outcome: 'imported' }, { outcome: 'imported' }, { outcome: 'imported' }]);
  expect(told.files.map(({ name, outcome }) => `${name} ${outcome}`).toSorted()).toEqual(
    ['birds.pdf', 'blue sky.png', 'draft.txt', 'kept.txt', 'kite.png', 'lonely.txt'].map((name) => `${name} imported`),
  );
  expect(told.progress).toEqual(told.progress.toSorted((a, b) => a - b));
  expect(told.progress.at(-1)).toBe(1);

  const kept = await filesOf(bob);
  const wanted = await filesOf(alice);
  const facts = (all: typeof kept) =>
    all.map(({ name, mime, bytes, width, height, context, uses, createdAt }) =>
      JSON.stringify([name, mime, bytes, width, height, context, uses, createdAt]),
    );
  expect(facts(kept)).toEqual(facts(wanted));
  expect(kept.filter(({ expiresAt }) => expiresAt !== null).map(({ name }) => name)).toEqual(['draft.txt']);

  const messages = await messagesOf(bob);
  const shown = messages.flatMap((message) => [...messageAttachments(message), ...messageToolFiles(message)]);
  expect(shown.map(({ name }) => name).toSorted()).toEqual(['birds.pdf', 'blue sky.png', 'kite.png']);
  for (const part of shown) {
    const [mine] = kept.filter(({ fileId }) => fileId === part.fileId);
    expect(part.path).toBe(mine?.path);
    const before = wanted.find(({ name }) => name === part.name)?.path ?? '';
    expect((await bytesOf(there, bob, part.path)).equals(await bytesOf(here, alice, before))).toBe(true);
  }
  expect(shown.find(({ name }) => name === 'kite.png')).toMatchObject({ width: 1500, prompt: 'a red kite' });
});

test('what a person keeps among their files is kept there, too, however often it comes', async () => {
  const keptOf = ({ services: { deps } }: HttpClients, userId: string) =>
    deps.db.query
      .select({ name: files.name })
      .from(files)
      .where(and(eq(files.userId, userId), isKept(deps.db.query)));
  expect(await keptOf(here, alice.userId)).toEqual([{ name: 'kept.txt' }]);
  await importInto(there, bob, archive);
  expect(await keptOf(there, bob.userId)).toEqual([{ name: 'kept.txt' }]);
});

test('a citation opens its passage, which is read anew', async () => {
  const citing = (await messagesOf(bob)).find(({ parts }) => parts.some((part) => 'citations' in part));
  const part = citing?.parts.at(-1);
  const [citation] = part?.type === 'text' ? (part.citations ?? []) : [];
  const before = asked.reply.parts.at(-1);
  expect(before?.type === 'text' && before.citations).toMatchObject([{ quote: citation?.quote, page: 7 }]);
  const fileId = citation?.fileId ?? '';
  expect(citing?.context?.files).toMatchObject([{ fileId, name: 'birds.pdf', shown: 'passages' }]);
  await awaitState(there.services, fileId, 'ready');
  const { passage } = await bob.api.files.passage.query({ fileId, n: citation?.n ?? -1 });
  expect(passage.text).toContain('23 metres');
});

test('presets, folders and settings come back, and a second import adds nothing', async () => {
  const carol = await there.signUp('carol');
  await carol.api.settings.set.mutate({ textSize: 'small' });
  const told = await importInto(there, carol, archive);
  expect(told.others).toEqual([
    { kind: 'presets', imported: 2, present: 0, skipped: 0 },
    { kind: 'settings', imported: 1, kept: 1 },
  ]);
  const presets = await carol.api.presets.list.query();
  expect(presets).toMatchObject([
    { title: 'Careful', endpoint: 'openAI', model: 'gpt-4', settings: { temperature: 0.2 }, isDefault: true },
    { title: 'Unknown here', endpoint: null, isDefault: false },
  ]);
  const folders = await carol.api.folders.list.query();
  expect(folders).toMatchObject([
    { name: 'Birds', color: 'teal', instructions: 'Be brief', presetId: presets[0]?.presetId },
    { name: 'Empty' },
  ]);
  const [{ convos: active }, { convos: archived }] = await Promise.all([
    carol.api.convos.list.query({}),
    carol.api.convos.list.query({ archived: true }),
  ]);
  expect(active.map(({ folderId }) => folderId).toSorted()).toEqual([folders[0]?.id, null].toSorted());
  expect(archived).toMatchObject([{ isPinned: true }]);
  expect(await carol.api.settings.list.query()).toEqual({ theme: 'dark', textSize: 'small' });

  const [kept, messages] = [await filesOf(carol), await messagesOf(carol)];
  const again = await importInto(there, carol, archive);
  expect(again.items.map(({ outcome }) => outcome)).toEqual(['present', 'present', 'present']);
  expect(again.files.map(({ outcome }) => outcome)).toEqual(kept.map(() => 'present'));
  expect(again.others).toEqual([
    { kind: 'presets', imported: 0, present: 2, skipped: 0 },
    { kind: 'settings', imported: 0, kept: 1 },
  ]);
  const idsOf = (all: typeof kept) => all.map(({ fileId, expiresAt }) => [fileId, expiresAt === null]);
  expect(idsOf(await filesOf(carol))).toEqual(idsOf(kept));
  expect(await messagesOf(carol)).toEqual(messages);
  expect(await carol.api.presets.list.query()).toEqual(presets);
  expect(await carol.api.folders.list.query()).toEqual(folders);
  await carol.close();
});

test('in the account it comes from nothing changes', async () => {
  const [kept, messages] = [await filesOf(alice), await messagesOf(alice)];
  const told = await importInto(here, alice, archive);
  expect(told.items.map(({ outcome }) => outcome)).toEqual(['present', 'present', 'present']);
  expect(told.files.every(({ outcome }) => outcome === 'present')).toBe(true);
  expect(told.others).toEqual([
    { kind: 'presets', imported: 0, present: 2, skipped: 0 },
    { kind: 'settings', imported: 0, kept: 0 },
  ]);
  expect((await filesOf(alice)).map(({ fileId, uses }) => [fileId, uses])).toEqual(
    kept.map(({ fileId, uses }) => [fileId, uses]),
  );
  expect(await messagesOf(alice)).toEqual(messages);
});

test('messages that came without their files, in JSON alone, get them', async () => {
  const erin = await there.signUp('erin');
  const json = unzipSync(archive)['conversations.json'] ?? new Uint8Array();
  expect((await importInto(there, erin, json)).end).toEqual({ end: true, items: 3, fault: null });
  const told = await importInto(there, erin, archive);
  expect(told.items.map(({ outcome }) => outcome)).toEqual(['present', 'present', 'present']);
  const kept = await filesOf(erin);
  const ids = kept.map(({ fileId }) => fileId);
  const messages = await messagesOf(erin);
  const shown = messages.flatMap((message) => [...messageAttachments(message), ...messageToolFiles(message)]);
  expect(shown.map(({ fileId }) => ids.includes(fileId))).toEqual([true, true, true]);
  expect(kept.filter(({ uses }) => uses === 1)).toHaveLength(3);
  const cited = messages.flatMap(({ parts }) => parts.flatMap((part) => ('citations' in part ? part.citations : [])));
  expect(cited.map((citation) => ids.includes(citation?.fileId ?? ''))).toEqual([true]);
  await erin.close();
});

test('an export of before, without checksums of files, is read', async () => {
  const dora = await there.signUp('dora');
  const older = changed(archive, (entries) => {
    const list = JSON.parse(Buffer.from(entries['files.json'] ?? []).toString()) as Record<string, unknown>[];
    const [{ sha256: _, ...file } = {}] = list.filter(({ name }) => name === 'lonely.txt');
    entries['files.json'] = jsonOf([file]);
    entries['conversations.json'] = jsonOf([]);
  });
  expect((await importInto(there, dora, older)).files).toMatchObject([{ name: 'lonely.txt', outcome: 'imported' }]);
  await dora.close();
});
