// The images and files of a shared conversation: who may open them, and what becomes of them in a copy.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { messages } from '@parley/db/tables/messages';
import { shares } from '@parley/db/tables/shares';
import { users } from '@parley/db/tables/users';
import { sharedFilePath } from '@parley/schema/convos/shared-file-path';
import type { SharedPart } from '@parley/schema/convos/shares';
import { messageAttachments, type MessagePart } from '@parley/schema/messages/messages';
import type { Deps } from '@parley/server/services';
import { filePath, presentAttachment, type FileRow } from '@parley/server/files/present';
import { readFileBytes } from '@parley/server/files/read-file';
import { createApp } from '@parley/server/app';
import { createCaller } from '@parley/server/router';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { fetchDocumented } from '../../support/rest/documented.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;
let alice: Person;
let bob: Person;
let http: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  services = await openTestServices({ FILES_MAX_MB_PER_USER: '1' });
  alice = await services.as('alice');
  bob = await services.as('bob');
  http = await listen(services.deps);
});
afterAll(async () => {
  await http?.close();
  await services?.close();
});

async function listen(deps: Deps): Promise<{ host: string; close(): Promise<void> }> {
  const app = createApp(deps, '');
  await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve));
  return { host: `127.0.0.1:${(app.server.address() as AddressInfo).port}`, close: () => app.close() };
}

const PICTURE = { name: 'Nest.png', mime: 'image/png', width: 40, height: 30 };

interface Shared {
  id: string;
  conversationId: string;
  picture: FileRow;
  page: FileRow;
  made: FileRow;
  parts: SharedPart[][];
}

/** A question with an image and a page, and an answer whose tool made a table that its text links to. */
async function share(owner: Person = alice): Promise<Shared> {
  const keep = (file: Parameters<typeof keepTestFile>[2]) => keepTestFile(services.deps, owner.id, file);
  const ownImage = await keep(PICTURE);
  const page = await keep({ name: 'page.html', mime: 'text/html', text: `<script>${randomUUID()}</script>` });
  const made = await keep({ name: 'table.csv', mime: 'text/csv', text: `a,b\n${randomUUID()}` });
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text: 'See' };
  const asked = question('', { target: { ...target, files: [ownImage.id, page.id] } });
  const { convo, reply } = await exchange(services, owner.id, asked);
  await answerWith(owner.id, reply.messageId, [
    {
      type: 'tool_call',
      call: {
        id: '1:1',
        kind: 'code_interpreter',
        name: 'python',
        input: 'secret arguments',
        output: 'secret result',
        progress: 1,
        outputs: [{ type: 'logs', text: 'secret log' }, presentAttachment(made)],
      },
    },
    {
      type: 'text',
      text: `[The table](${filePath(made)}) and [another](/api/files/download/${owner.id}/${randomUUID()})`,
    },
  ]);
  const { conversationId } = convo;
  const { id } = await owner.api.shares.create({ conversationId, leafId: null });
  return { id, conversationId, picture: ownImage, page, made, parts: await partsOf(id) };
}

async function answerWith(userId: string, messageId: string, parts: MessagePart[]): Promise<void> {
  const ofMessage = and(eq(messages.userId, userId), eq(messages.id, messageId));
  await services.deps.db.query.update(messages).set({ parts }).where(ofMessage);
}

async function partsOf(id: string): Promise<SharedPart[][]> {
  const visitor = createCaller({ deps: services.deps, http: null, socket: null, token: null, signedIn: null });
  const page = await visitor.shares.read({ id });
  return page.thread.messages.map(({ parts }) => parts);
}

/** As a visitor without an account. */
function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetchDocumented(`http://${http.host}${path}`, init);
}

async function statusOf(path: string): Promise<number> {
  return (await get(path)).status;
}

describe('the files of a link', () => {
  it('are shown to its visitors, with those that tools made, and tell no id of theirs', async () => {
    const { id, picture, page, made, parts } = await share();
    const { mime, bytes, width, height } = picture;
    expect(parts[0]).toContainEqual({ type: 'file', name: 'Nest.png', file: { n: 1, mime, bytes, width, height } });
    expect(parts[0]).toContainEqual({
      type: 'file',
      name: 'page.html',
      file: { n: 2, mime: 'text/html', bytes: page.bytes },
    });
    expect(parts[1]?.[1]).toEqual({
      type: 'file',
      name: 'table.csv',
      file: { n: 3, mime: 'text/csv', bytes: made.bytes },
    });
    expect(parts[1]?.[2]).toMatchObject({ text: expect.stringContaining(`[The table](/api/share/${id}/files/3)`) });
    const told = JSON.stringify(parts);
    for (const secret of [alice.id, picture.id, page.id, made.id, picture.hash ?? '', 'secret'])
      expect(told).not.toContain(secret);
    expect((await alice.api.shares.list()).find((one) => one.id === id)?.files).toBe(3);
  });

  it('arrive as those of their owner do: images inline, all others as downloads', async () => {
    const { id, picture, page, parts } = await share();
    const [shown, saved] = filesIn(parts[0] ?? []).map((file) => sharedFilePath(id, file));
    const image = await get(shown ?? '');
    expect([image.status, (await image.arrayBuffer()).byteLength]).toEqual([200, picture.bytes]);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    });
    const etag = image.headers.get('etag') ?? '';
    expect((await get(shown ?? '', { headers: { 'if-none-match': etag } })).status).toBe(304);
    const file = await get(saved ?? '');
    expect(await file.text()).toContain('<script>');
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="page.html"; filename*=UTF-8''page.html`,
      'cache-control': 'private, no-store',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    expect(file.headers.has('x-file-metadata'), 'it names the owner').toBe(false);
    const part = await get(saved ?? '', { headers: { range: 'bytes=0-7' } });
    expect([part.status, await part.text()]).toEqual([206, '<script>']);
    const head = await get(saved ?? '', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(page.bytes)]);
    expect(await statusOf(`/api/share/${id}/images/2.html`), 'what is no picture is never inline').toBe(404);
  });

  it('are the only ones that the link opens', async () => {
    const { id, picture, parts } = await share();
    const other = await share(bob);
    const secret = await keepTestFile(services.deps, alice.id, { name: 'secret.txt' });
    const names = ['0', '4', '-1', '1e0', '01', '%00', '..%2f..%2fsecrets.json', secret.id, picture.id, '9999999'];
    for (const kind of ['images', 'files'])
      for (const name of names) expect(await statusOf(`/api/share/${id}/${kind}/${name}`), name).toBe(404);
    for (const unknown of ['x'.repeat(22), 'cut-off', alice.id, '%00'])
      expect(await statusOf(`/api/share/${unknown}/files/1`), unknown).toBe(404);
    // Without the link, or with another one, the addresses of the owner stay closed.
    expect(await statusOf(filePath(picture))).toBe(401);
    expect(await statusOf(`/api/share/${other.id}/images/${picture.id}.png`)).toBe(404);
    expect(filesIn(parts[0] ?? [])).toHaveLength(2);
  });

  it('of another branch, or of another person, are not among them', async () => {
    const { conversationId } = await share();
    const [first] = await alice.api.messages.list({ conversationId });
    const hidden = await keepTestFile(services.deps, alice.id, { name: 'hidden.txt' });
    const his = await keepTestFile(services.deps, bob.id, { name: 'his.txt' });
    const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text: 'Other branch' };
    const { reply } = await exchange(
      services,
      alice.id,
      question('', { conversationId, target: { ...target, files: [hidden.id] } }),
    );
    await answerWith(alice.id, reply.messageId, [presentAttachment(his), { type: 'text', text: 'His' }]);
    const { id } = await alice.api.shares.create({ conversationId, leafId: first?.messageId ?? '' });
    expect(JSON.stringify(await partsOf(id))).not.toContain('hidden.txt');
    expect(await statusOf(`/api/share/${id}/files/3`)).toBe(200);
    expect(await statusOf(`/api/share/${id}/files/4`)).toBe(404);
    const whole = await alice.api.shares.create({ conversationId, leafId: null });
    const all = (await partsOf(whole.id)).flat();
    expect(all).toContainEqual({ type: 'file', name: 'his.txt' });
    expect(all).toContainEqual(expect.objectContaining({ name: 'hidden.txt', file: expect.anything() }));
  });

  it('end with the link, its conversation, its owner’s account and the file', async () => {
    const { id, conversationId, picture } = await share();
    const path = `/api/share/${id}/images/1.png`;
    const { query } = services.deps.db;
    const setOwner = (set: Partial<Record<'bannedUntil' | 'deletionDueAt', ReturnType<typeof sql> | null>>) =>
      query.update(users).set(set).where(eq(users.id, alice.id));
    const tomorrow = sql`now() + interval '1 day'`;
    for (const column of ['bannedUntil', 'deletionDueAt'] as const) {
      await setOwner({ [column]: tomorrow });
      expect(await statusOf(path)).toBe(404);
      await setOwner({ [column]: null });
      expect(await statusOf(path)).toBe(200);
    }
    const { deletionId } = await alice.api.convos.remove({ conversationId });
    expect(await statusOf(path)).toBe(404);
    await alice.api.convos.restore({ deletionId: deletionId ?? '' });
    const etag = (await get(path)).headers.get('etag') ?? '';
    await query
      .update(shares)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(shares.id, id));
    expect(await statusOf(path)).toBe(404);
    expect((await get(path, { headers: { 'if-none-match': etag } })).status, 'not even what is kept').toBe(404);
    await query.update(shares).set({ expiresAt: null }).where(eq(shares.id, id));
    expect(await statusOf(path)).toBe(200);
    await alice.api.files.remove({ ids: [picture.id] });
    expect(await statusOf(path)).toBe(404);
    expect(await statusOf(`/api/share/${id}/files/2`)).toBe(200);
    await alice.api.shares.update({ id });
    expect((await partsOf(id))[0]).toContainEqual({ type: 'file', name: 'Nest.png' });
    await alice.api.shares.revoke({ id });
    for (const n of [1, 2, 3]) expect(await statusOf(`/api/share/${id}/files/${n}`)).toBe(404);
  });

  it('of a link made before files were shared stay names until its owner updates it', async () => {
    const { id } = await share();
    const old = sql`(${shares.thread} - 'files') #- '{messages,0,parts,0,file}'`;
    await services.deps.db.query.update(shares).set({ thread: old }).where(eq(shares.id, id));
    expect(await statusOf(`/api/share/${id}/images/1.png`)).toBe(404);
    expect((await alice.api.shares.list()).find((one) => one.id === id)?.files).toBe(0);
    await alice.api.shares.update({ id });
    expect(await statusOf(`/api/share/${id}/images/1.png`)).toBe(200);
  });

  it('are for signed-in people alone where the operator says so, and off with the links', async () => {
    const { id } = await share();
    const { config } = services.deps;
    const path = `/api/share/${id}/files/2`;
    for (const [over, status] of [
      [{ publicSharedLinks: false }, 401],
      [{ allowSharedLinks: false }, 404],
    ] as const) {
      const deps = { ...services.deps, config: { ...config, accounts: { ...config.accounts, ...over } } };
      const closed = await listen(deps);
      expect((await fetch(`http://${closed.host}${path}`)).status).toBe(status);
      await closed.close();
    }
  });

  it('are limited for each address', async () => {
    const { id } = await share();
    const { query } = services.deps.db;
    const full = sql`array_fill(now(), array[1200])`;
    await query.execute(sql`update limits set hits = ${full} where key like 'visit-file:ip:%'`);
    const refused = await get(`/api/share/${id}/files/2`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await query.execute(sql`delete from limits where key like 'visit-file:ip:%'`);
    expect(await statusOf(`/api/share/${id}/files/2`)).toBe(200);
  });
});

describe('the files of a copy', () => {
  it('are the copier’s own, once for each, and outlive the link', async () => {
    const { id, picture, page } = await share();
    const { missing, ...copy } = await bob.api.shares.copy({ id });
    expect(missing).toEqual([]);
    const copied = await bob.api.messages.list(copy);
    const [image, file] = messageAttachments(copied[0] ?? { parts: [] });
    expect(image).toMatchObject({ type: 'image', name: 'Nest.png', width: 40, height: 30 });
    expect(file).toMatchObject({ type: 'file', name: 'page.html' });
    const [made] = messageAttachments(copied[1] ?? { parts: [] });
    expect(copied[1]?.parts.at(-1)).toMatchObject({ text: expect.stringContaining(`[The table](${made?.path})`) });
    expect([picture.id, page.id]).not.toContain(image?.fileId);
    expect(JSON.stringify(copied)).not.toContain(alice.id);
    expect((await bob.api.files.usesOf({ fileId: image?.fileId ?? '' })).messages).toHaveLength(1);
    const before = (await bob.api.files.list({})).files;
    expect(await bob.api.shares.copy({ id })).toEqual({ ...copy, missing });
    expect((await bob.api.files.list({})).files).toHaveLength(before.length);
    await alice.api.shares.revoke({ id });
    await alice.api.files.remove({ ids: [picture.id, page.id] });
    const read = await readFileBytes(services.deps, bob.id, file?.fileId ?? '', 1_000);
    expect(Buffer.from(read?.bytes ?? []).toString()).toContain('<script>');
    expect(before.find(({ fileId }) => fileId === image?.fileId)).toMatchObject({ expiresAt: null });
  });

  it('of one’s own link are the files themselves', async () => {
    const { id, picture } = await share();
    const { conversationId } = await alice.api.shares.copy({ id });
    const copied = await alice.api.messages.list({ conversationId });
    expect(messageAttachments(copied[0] ?? { parts: [] })[0]?.fileId).toBe(picture.id);
  });

  it('that do not fit the quota, or are gone, stay names and are listed', async () => {
    const carol = await services.as('carol');
    await keepTestFile(services.deps, carol.id, { text: 'x'.repeat(2 ** 20 - 60) });
    const { id, made } = await share();
    await alice.api.files.remove({ ids: [made.id] });
    const { missing, ...copy } = await carol.api.shares.copy({ id });
    expect(missing.toSorted()).toEqual(['page.html', 'table.csv']);
    const [asked, answer] = await carol.api.messages.list(copy);
    expect(messageAttachments(asked ?? { parts: [] }).map(({ name }) => name)).toEqual(['Nest.png']);
    expect(asked?.parts).toContainEqual({ type: 'text', text: '\n[file: page.html]\n' });
    expect(answer?.parts).toContainEqual({ type: 'text', text: '\n[file: table.csv]\n' });
  });
});

function filesIn(parts: SharedPart[]) {
  return parts.flatMap((part) => (part.type === 'file' && part.file ? [part.file] : []));
}
