// Pictures that do not come, come in part, or are asked for with what is not there.
import { randomUUID } from 'node:crypto';
import { blobs, files, fileUses } from '@parley/db/tables/files';
import { generations } from '@parley/db/tables/generations';
import type { PictureInput } from '@parley/schema/pictures/picture';
import { recoverExpiredRuns } from '@parley/server/chat/recovery';
import { addCredits } from '@parley/server/billing/balances';
import { saveGeneratedImage } from '@parley/server/files/save-generated-image';
import { arrivalsFolder } from '@parley/server/storage/arrivals';
import { sweepFiles } from '@parley/server/files/sweep';
import { sweepTemporary } from '@parley/server/trash/sweep';
import { and, eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { exchange, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { another } from '../chat/asks.ts';
import { imagesIn, keepPicture, PICTURES, pictureRequests } from './asks.ts';

const GPT = 'gpt-image-1';
const DRAFT = 11_000;
const SAFETY = /rejected by the safety system/;

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices(PICTURES);
  [alice, bob] = await Promise.all([services.as('alice'), services.as('bob')]);
  await addCredits(services.deps.db, alice.id, 10_000_000);
});
beforeEach(() => services.provider.clear());
afterAll(() => services.close());

const asked = (text: string, picture: Partial<PictureInput> = {}, over: object = {}) =>
  question(text, { model: GPT, picture: { n: 1, size: 'square', quality: 'draft', ...picture }, ...over });
const draw = (text: string, picture: Partial<PictureInput> = {}, over: object = {}) =>
  exchange(services, alice.id, asked(text, picture, over));

async function spentOn(generationId: string): Promise<number> {
  const entries = await spendingOf(services.deps.db, alice.id, generationId);
  await expectBooksToAgree(services.deps.db, alice.id);
  return entries.reduce((sum, { tokenValue }) => sum - tokenValue, 0);
}

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    ({ reason }: { reason: unknown }) => reason,
  );
}

describe('pictures that fail', () => {
  it('two of four pictures that fail leave the others: two stand, two say why, and two are paid', async () => {
    const { reply } = await draw('fake:half boats', { n: 4 });
    expect(reply).toMatchObject({ reason: null, finishReason: 'stop' });
    expect(imagesIn({ reply })).toHaveLength(2);
    const errors = reply.parts.filter((part) => part.type === 'error');
    expect(errors.map(({ text }) => text)).toEqual([expect.stringMatching(SAFETY), expect.stringMatching(SAFETY)]);
    expect(reply.parts).toHaveLength(4);
    expect(await spentOn(reply.generationId ?? '')).toBe(2 * DRAFT);
  });

  it('a refused picture is told in the provider’s sentence, and costs nothing', async () => {
    const { reply } = await draw('fake:forbidden', { n: 2 });
    expect(reply.reason).toMatchObject({ type: 'provider_refused', status: 400, text: expect.stringMatching(SAFETY) });
    expect(reply.parts).toEqual([]);
    expect(await spentOn(reply.generationId ?? '')).toBe(0);
  });

  it('a provider that is asked too often says when to ask again', async () => {
    const { reply } = await draw('A boat [[error-429]]', { n: 3 });
    expect(reply.reason).toMatchObject({ type: 'provider_rate_limited', retryAfterSeconds: 7 });
    expect(reply.parts).toEqual([]);
  });

  it('bytes that are no picture are refused', async () => {
    const { reply } = await draw('fake:no-picture');
    expect(reply).toMatchObject({ parts: [], reason: { type: 'invalid_input', text: 'This is no picture.' } });
    expect(await spentOn(reply.generationId ?? '')).toBe(0);
  });

  it('a picture of forty million pixels is kept', async () => {
    const { reply } = await draw('fake:huge');
    expect(imagesIn({ reply })[0]).toMatchObject({ width: 8000, height: 5000 });
  });

  it('a call that breaks off or never begins fails its picture', async () => {
    expect((await draw('A boat [[cut:0]]')).reply.reason).toMatchObject({ type: 'provider_unavailable' });
    expect((await draw('A boat [[html-502]]')).reply.reason).toMatchObject({
      type: 'provider_unavailable',
      status: 502,
    });
  });
});

describe('an answer of pictures that is stopped', () => {
  it('a stopped answer keeps what has come, pays for that alone, and closes the connections', async () => {
    const input = asked('fake:first boat', { n: 3 });
    await services.deps.askService.ask(alice.id, input);
    await until(input.generationId, 'image');
    expect((await balanceOf(services.deps.db, alice.id)).reserved).toBe(3 * DRAFT);
    await services.deps.askService.stop(alice.id, input.generationId);
    const final = (await readAll(services, alice.id, input.generationId)).at(-1)?.event;
    expect(final).toMatchObject({
      type: 'final',
      reply: { reason: null, finishReason: 'incomplete', parts: [{ type: 'image' }], context: { picture: { n: 3 } } },
    });
    expect(await spentOn(input.generationId)).toBe(DRAFT);
    await expect.poll(() => services.provider.openStreams()).toBe(0);
  });

  it('an answer that is stopped before its first picture costs nothing', async () => {
    const input = asked('fake:hang boat', { n: 2 });
    await services.deps.askService.ask(alice.id, input);
    await until(input.generationId, 'pending_picture');
    await services.deps.askService.stop(alice.id, input.generationId);
    const final = (await readAll(services, alice.id, input.generationId)).at(-1)?.event;
    expect(final).toMatchObject({ type: 'final', reply: { parts: [], finishReason: 'incomplete' } });
    expect(await spentOn(input.generationId)).toBe(0);
  });
});

describe('a process that dies', () => {
  it('leaves what has come to the answer, which is paid for it', async () => {
    const { db } = services.deps;
    const input = asked('fake:first ship', { n: 3 });
    await services.deps.askService.ask(alice.id, input);
    await until(input.generationId, 'paid');
    await services.deps.generationLog.drain();
    await db.query
      .update(generations)
      .set({ leaseUntil: sql`'-infinity'` })
      .where(eq(generations.id, input.generationId));
    await recoverExpiredRuns(db, randomUUID());
    const reply = (await alice.api.messages.list({ conversationId: input.conversationId })).at(-1);
    expect(reply).toMatchObject({
      unfinished: true,
      reason: { type: 'interrupted' },
      parts: [{ type: 'image' }],
      context: { picture: { n: 3 } },
    });
    const [image] = imagesIn({ reply: reply as NonNullable<typeof reply> });
    expect(await usesOf(image?.fileId ?? '')).toMatchObject([{ ref: input.replyId }]);
    expect(await spentOn(input.generationId)).toBe(DRAFT);
    await expect.poll(() => services.provider.openStreams()).toBe(0);
  });

  it('leaves nothing after the sweep of a picture that no answer has', async () => {
    const { db } = services.deps;
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    const { fileId } = await saveGeneratedImage(services.deps, {
      userId: alice.id,
      bytes,
      name: 'left',
      prompt: 'Left',
    });
    const [row] = await db.query.select().from(files).where(eq(files.id, fileId));
    const hash = row?.hash ?? '';
    await db.query
      .update(files)
      .set({ expiresAt: sql`now() - interval '1 minute'` })
      .where(eq(files.id, fileId));
    await sweepAll();
    await db.query
      .update(blobs)
      .set({ since: sql`now() - interval '2 hours'` })
      .where(eq(blobs.hash, hash));
    await sweepAll();
    expect(await db.query.select().from(files).where(eq(files.id, fileId))).toEqual([]);
    expect(
      await db.query
        .select()
        .from(blobs)
        .where(and(eq(blobs.userId, alice.id), eq(blobs.hash, hash))),
    ).toEqual([]);
  });
});

describe('pictures to begin with', () => {
  it('are those of the person alone, and so is the mask', async () => {
    const [foreign, mine] = [
      await keepPicture(services, bob.id, 100, 100),
      await keepPicture(services, alice.id, 100, 100),
    ];
    const missing = { type: 'not_found', what: 'file' };
    expect(await reasonOf(draw('Mine now', { from: [foreign] }))).toEqual(missing);
    expect(await reasonOf(draw('Mine now', { from: [mine], maskFileId: foreign }))).toEqual(missing);
    expect(await reasonOf(draw('Mine now', { from: [randomUUID()] }))).toEqual(missing);
    expect(pictureRequests(services)).toEqual([]);
  });

  it('are missed where another answer needs one that was deleted', async () => {
    const mine = await keepPicture(services, alice.id, 100, 100);
    const drawn = await draw('A hat', { from: [mine] });
    await services.deps.db.query.delete(files).where(eq(files.id, mine));
    expect(await reasonOf(exchange(services, alice.id, another(drawn, { model: GPT })))).toEqual({
      type: 'not_found',
      what: 'file',
    });
  });

  it('have masks of their shape', async () => {
    const mine = await keepPicture(services, alice.id, 400, 300);
    const maskFileId = await keepPicture(services, alice.id, 300, 300, true);
    expect(await reasonOf(draw('A hat', { from: [mine], maskFileId }))).toMatchObject({
      type: 'invalid_input',
      text: expect.stringContaining('300 x 300'),
    });
    expect(await reasonOf(draw('A hat', { from: [], maskFileId }))).toMatchObject({ type: 'invalid_input' });
    const gemini = { endpoint: 'google', model: 'gemini-2.5-flash-image' };
    expect(await reasonOf(draw('A hat', { from: [mine], maskFileId }, gemini))).toMatchObject({ type: 'conflict' });
  });
});

describe('an address in place of a picture', () => {
  it.each(['fake:address', 'fake:metadata'])('is not called inside of the network: %s', async (word) => {
    const { reply } = await draw(word, {}, { endpoint: 'Paints', model: 'flux-1' });
    expect(reply.reason).toMatchObject({ type: 'forbidden_base_url' });
    expect(services.provider.requests.filter(({ method }) => method === 'GET').map(({ path }) => path)).toEqual([]);
  });

  it('is called where the operator allows it, and read by its bytes', async () => {
    const host = new URL(services.provider.url).host;
    const other = await services.beside({ EGRESS_ALLOWED_HOSTS: host });
    const input = asked('fake:address', {}, { endpoint: 'Paints', model: 'flux-1' });
    await other.deps.askService.ask(alice.id, input);
    const [last] = (await readAll({ ...services, ...other }, alice.id, input.generationId)).slice(-1);
    expect(last?.event).toMatchObject({ type: 'final', reply: { parts: [{ type: 'image', width: 1024 }] } });
    await other.close();
  });
});

it('pictures that are not covered are not begun, and four are reserved as four', async () => {
  const carol = await services.as('carol');
  await addCredits(services.deps.db, carol.id, 3 * DRAFT);
  expect(await reasonOf(services.deps.askService.ask(carol.id, asked('Four', { n: 4 })))).toMatchObject({
    type: 'token_balance',
    balance: 3 * DRAFT,
    tokenCost: 4 * DRAFT,
  });
  expect(imagesIn(await exchange(services, carol.id, asked('Three', { n: 3 })))).toHaveLength(3);
  expect((await balanceOf(services.deps.db, carol.id)).credits).toBe(0);
});

it('the pictures of a temporary chat go with it', async () => {
  const { db } = services.deps;
  const drawn = await draw('A secret', {}, { isTemporary: true });
  const [image] = imagesIn(drawn);
  const { conversationId } = drawn.convo;
  await db.sql`update convos set temporary_until = now() - interval '1 minute' where id = ${conversationId}`;
  await sweepTemporary(db);
  await sweepAll();
  await db.query
    .update(files)
    .set({ expiresAt: sql`now() - interval '1 minute'` })
    .where(and(eq(files.id, image?.fileId ?? ''), sql`expires_at is not null`));
  await sweepAll();
  expect(
    await db.query
      .select()
      .from(files)
      .where(eq(files.id, image?.fileId ?? '')),
  ).toEqual([]);
});

/** Until a part of this type is told, or a picture is counted. */
async function until(generationId: string, type: 'image' | 'pending_picture' | 'paid'): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  for await (const { event } of services.deps.askService.attach(alice.id, generationId, 0, signal))
    if (
      event.type === 'part' ? event.value.type === type : type === 'paid' && event.type === 'usage' && event.input > 0
    )
      return;
  throw new Error(`No ${type} came`);
}

function sweepAll(): Promise<void> {
  return sweepFiles({ ...services.deps, arrivals: arrivalsFolder(services.deps.config) });
}

function usesOf(fileId: string) {
  return services.deps.db.query.select().from(fileUses).where(eq(fileUses.fileId, fileId));
}
