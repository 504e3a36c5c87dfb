// An ask that is answered with pictures: what providers are sent, what is kept, and what comes next in such a chat.
import { files, fileUses } from '@parley/db/tables/files';
import { eq } from 'drizzle-orm';
import { addCredits } from '@parley/server/billing/balances';
import type { SetPrice } from '@parley/schema/catalog/saved-providers';
import type { PictureInput } from '@parley/schema/pictures/picture';
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { MessagePart } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { exchange, followUp, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { another, continuation } from '../chat/asks.ts';
import { imagesIn, keepPicture, PICTURES, pictureRequests } from './asks.ts';

const GPT = 'gpt-image-1';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices(PICTURES);
  alice = await services.as('alice');
  await addCredits(services.deps.db, alice.id, 10_000_000);
});
beforeEach(() => services.provider.clear());
afterAll(() => services.close());

const draw = (text: string, picture?: Partial<PictureInput>, over: Partial<AskInput> = {}) =>
  exchange(services, alice.id, question(text, { model: GPT, ...withOptions(picture), ...over }));
const drawNext = (text: string, after: FinalEvent, picture?: Partial<PictureInput>, over: Partial<AskInput> = {}) =>
  exchange(services, alice.id, followUp(text, after, { model: GPT, ...withOptions(picture), ...over }));

function withOptions(picture: Partial<PictureInput> | undefined): Partial<AskInput> {
  return picture ? { picture: { n: 1, size: 'square', quality: 'draft', ...picture } } : {};
}

async function spentOn({ reply }: FinalEvent): Promise<number> {
  const entries = await spendingOf(services.deps.db, alice.id, reply.generationId ?? '');
  await expectBooksToAgree(services.deps.db, alice.id);
  return -entries.reduce((sum, { tokenValue }) => sum + tokenValue, 0);
}

describe('an ask for pictures', () => {
  it('is answered with files of the person, without their metadata, priced for each', async () => {
    const drawn = await draw('A red boat', { n: 2, size: 'wide' });
    expect(drawn.reply).toMatchObject({ reason: null, finishReason: 'stop', unfinished: false, model: GPT });
    const [first, second] = imagesIn(drawn);
    expect(drawn.reply.parts).toHaveLength(2);
    expect(first).toMatchObject({
      width: 1536,
      height: 1024,
      prompt: 'A red boat',
      size: 'wide',
      credits: 16_000,
      name: expect.stringMatching(/^A red boat-1\./),
    });
    expect(second?.fileId).not.toBe(first?.fileId);
    const { query } = services.deps.db;
    const [row] = await query
      .select()
      .from(files)
      .where(eq(files.id, first?.fileId ?? ''));
    expect(row).toMatchObject({ userId: alice.id, context: 'image_generation', expiresAt: null });
    const uses = await query
      .select()
      .from(fileUses)
      .where(eq(fileUses.fileId, first?.fileId ?? ''));
    expect(uses).toMatchObject([{ kind: 'message', ref: drawn.reply.messageId }]);
    const kept = await services.deps.readFile(alice.id, first?.fileId ?? '', 50_000_000);
    expect(Buffer.from(kept?.bytes ?? []).includes('made by the fake provider')).toBe(false);
    expect(await spentOn(drawn)).toBe(2 * 16_000);
    expect(drawn.reply.context?.picture).toEqual({ n: 2, size: 'wide', quality: 'draft', from: [] });
  });

  it('has its places from the first moment, and what there is of each picture meanwhile', async () => {
    const input = question('A green hill', { model: GPT, picture: { n: 2, size: 'tall', quality: 'fine' } });
    await services.deps.askService.ask(alice.id, input);
    const events = (await readAll(services, alice.id, input.generationId)).map(({ event }) => event);
    const parts = events.flatMap((event) => (event.type === 'part' ? [event] : []));
    const places = parts.map(({ part }) => part);
    expect(places.slice(0, 2)).toEqual([0, 1]);
    expect(new Set(places)).toEqual(new Set([0, 1]));
    expect(parts[0]?.value).toEqual({ type: 'pending_picture', width: 1024, height: 1536, progress: 0 });
    const previews = parts.map(({ value }) => value).filter(hasPreview);
    expect(previews[0]?.preview).toMatch(/^data:image\/webp;base64,/);
    expect(previews[0]?.progress).toBeGreaterThan(0);
    const final = events.at(-1);
    expect(final?.type === 'final' && final.reply.parts.map(({ type }) => type)).toEqual(['image', 'image']);
  });

  it('sends one call for each picture, with size and quality in the words of the model', async () => {
    await draw('A tower', { n: 2, quality: 'fine' });
    const sent = pictureRequests(services);
    expect(sent.map(({ path }) => path)).toEqual(Array(2).fill('/v1/images/generations'));
    expect(sent[0]?.body).toMatchObject({
      model: GPT,
      prompt: 'A tower',
      n: 1,
      size: '1024x1024',
      quality: 'high',
      stream: true,
      partial_images: 2,
      user: alice.id,
    });
    expect(sent[0]?.headers.authorization).toBe('Bearer fake');
  });

  it('tells what DALL-E 3 made of the prompt, whose sizes and qualities have other names', async () => {
    const drawn = await draw('A cat', { size: 'tall', quality: 'fine' }, { model: 'dall-e-3' });
    expect(imagesIn(drawn)[0]).toMatchObject({
      width: 1024,
      height: 1792,
      credits: 120_000,
      revisedPrompt: 'A cat, in detail',
    });
    expect(pictureRequests(services)[0]?.body).toMatchObject({
      size: '1024x1792',
      quality: 'hd',
      response_format: 'b64_json',
    });
  });

  it('keeps so much of what a provider makes of a long prompt', async () => {
    const drawn = await draw('A cat. '.repeat(2000), {}, { model: 'dall-e-3' });
    expect(imagesIn(drawn)[0]?.revisedPrompt).toHaveLength(8000);
  });

  it('needs no options where the model makes nothing but pictures, and gets none where it makes none', async () => {
    expect(imagesIn(await draw('A plain one'))).toHaveLength(1);
    const input = question('A picture', { model: 'fake:echo', picture: { n: 1, size: 'square', quality: 'draft' } });
    await expect(services.deps.askService.ask(alice.id, input)).rejects.toMatchObject({ reason: { type: 'conflict' } });
  });
});

describe('the next question of a chat with pictures', () => {
  it('changes the last picture with the same model and options', async () => {
    const drawn = await draw('A boat', { n: 2, size: 'wide' });
    const next = await drawNext('Make it blue', drawn);
    const last = imagesIn(drawn)[1];
    expect(next.reply.context).toMatchObject({
      picture: { n: 2, size: 'wide', from: [last?.fileId] },
      images: [{ fileId: last?.fileId, width: 1536 }],
    });
    const [sent] = pictureRequests(services).slice(-1);
    expect(sent?.path).toBe('/v1/images/edits');
    expect(String(sent?.body)).toMatch(/name="prompt"\r\n\r\nMake it blue\r\n/);
    expect(String(sent?.body)).toMatch(/name="image"; filename="picture-1\.(?:png|webp)"/);
    const other = await drawNext('A new one', next, { from: [] });
    expect(other.reply.context?.picture?.from).toEqual([]);
    expect(pictureRequests(services).at(-1)?.path).toBe('/v1/images/generations');
  });

  it('is answered in words by a model for text', async () => {
    const drawn = await draw('A boat');
    const told = await drawNext('And now [[echo]]', drawn, undefined, { model: 'fake:echo' });
    expect(told.reply.parts).toMatchObject([{ type: 'text' }]);
    expect(told.reply.context?.picture).toBeUndefined();
  });

  it('goes on from the pictures that are attached to it', async () => {
    const mine = await keepPicture(services, alice.id, 400, 300);
    const input = question('Like this', { model: GPT });
    if (input.target.kind === 'send') input.target.files = [mine];
    const drawn = await exchange(services, alice.id, input);
    expect(drawn.reply.context?.picture?.from).toEqual([mine]);
    expect(drawn.request.parts).toMatchObject([{ type: 'text' }, { type: 'image', fileId: mine }]);
  });

  it('makes a new one where the model changes none', async () => {
    const drawn = await draw('A boat', {}, { model: 'dall-e-3' });
    const next = await drawNext('Make it blue', drawn, undefined, { model: 'dall-e-3' });
    expect(next.reply.context?.picture?.from).toEqual([]);
    const [image] = imagesIn(drawn);
    const wished = followUp('Blue', drawn, { model: 'dall-e-3', ...withOptions({ from: [image?.fileId ?? ''] }) });
    await expect(services.deps.askService.ask(alice.id, wished)).rejects.toMatchObject({
      reason: { type: 'conflict' },
    });
  });
});

describe('an answer of pictures', () => {
  it('is made again with the options of now, and the pictures and mask of the answer before', async () => {
    const mine = await keepPicture(services, alice.id, 512, 512);
    const maskFileId = await keepPicture(services, alice.id, 512, 512, true);
    const drawn = await draw('A hat', { n: 2, from: [mine], maskFileId });
    const picture = { n: 1, size: 'wide', quality: 'fine' } as const;
    const again = await exchange(services, alice.id, another(drawn, { model: GPT, picture }));
    expect(again.reply.context?.picture).toEqual({ ...picture, from: [mine], maskFileId });
    const anew = await exchange(services, alice.id, another(drawn, { model: GPT, picture: { ...picture, from: [] } }));
    expect(anew.reply.context?.picture).toEqual({ ...picture, from: [] });
  });

  it('is made again with the same options, pictures and mask where no options are given', async () => {
    const mine = await keepPicture(services, alice.id, 512, 512);
    const maskFileId = await keepPicture(services, alice.id, 512, 512, true);
    const drawn = await draw('A hat', { n: 2, from: [mine], maskFileId });
    const again = await exchange(services, alice.id, another(drawn, { model: GPT }));
    expect(again.reply.context?.picture).toEqual({ n: 2, size: 'square', quality: 'draft', from: [mine], maskFileId });
    expect(again.reply.parentMessageId).toBe(drawn.request.messageId);
    expect(String(pictureRequests(services).at(-1)?.body)).toContain('name="mask"; filename="mask.png"');
  });

  it('is continued with those that are missing', async () => {
    const input = question('fake:first boat', { model: GPT, picture: { n: 3, size: 'square', quality: 'draft' } });
    await services.deps.askService.ask(alice.id, input);
    await untilPicture(input.generationId);
    await services.deps.askService.stop(alice.id, input.generationId);
    const [stopped] = (await readAll(services, alice.id, input.generationId)).slice(-1);
    if (stopped?.event.type !== 'final') throw new Error('It did not end');
    expect(imagesIn(stopped.event)).toHaveLength(1);
    expect(stopped.event.reply.parts).toHaveLength(1);
    services.provider.clear();
    const rest = continuation(stopped.event, { model: GPT });
    await services.deps.askService.ask(alice.id, rest);
    expect((await pictureRequestsOf(2)).map(({ path }) => path)).toEqual(Array(2).fill('/v1/images/generations'));
    await services.deps.askService.stop(alice.id, rest.generationId);
    await readAll(services, alice.id, rest.generationId);
  });

  it('is what the mask lets it change: a PNG of the size of the picture', async () => {
    const mine = await keepPicture(services, alice.id, 600, 300);
    const maskFileId = await keepPicture(services, alice.id, 300, 150, true);
    await draw('A hat', { from: [mine], maskFileId });
    const body = String(pictureRequests(services).at(-1)?.body);
    const mask = body.slice(body.indexOf('PNG', body.indexOf('filename="mask.png"')));
    const side = (at: number) => mask.charCodeAt(at) * 256 + mask.charCodeAt(at + 1);
    expect([side(17), side(21)]).toEqual([600, 300]);
  });
});

describe('a price of one picture that an administrator sets', () => {
  it('is charged by quality and shape, and one of an earlier version for a million pictures', async () => {
    const admin = await services.as('erin', 'ADMIN');
    const set = async (price: SetPrice['price']) => {
      const { version } = await admin.api.admin.providers.prices({ name: 'openAI' });
      await admin.api.admin.providers.setPrice({ name: 'openAI', model: GPT, price, version });
    };
    await set({ input: 0, output: 0, pictures: { draft: [0.003, 0.004], fine: [0.5, 0.6] } });
    const drawn = await draw('A red boat', { n: 2, size: 'wide' });
    expect(imagesIn(drawn).map(({ credits }) => credits)).toEqual([4000, 4000]);
    expect(await spentOn(drawn)).toBe(8000);
    expect(await spentOn(await draw('A fine boat', { quality: 'fine' }))).toBe(500_000);
    await set({ input: 7000, output: 0 });
    expect(await spentOn(await draw('A blue boat', { size: 'wide' }))).toBe(7000);
    const { version } = await admin.api.admin.providers.prices({ name: 'openAI' });
    await admin.api.admin.providers.removePrice({ name: 'openAI', model: GPT, version });
  });
});

describe('Gemini', () => {
  it('makes pictures where it is asked for them, and talks otherwise', async () => {
    const mine = await keepPicture(services, alice.id, 64, 64);
    const gemini = { endpoint: 'google', model: 'gemini-2.5-flash-image' };
    const drawn = await draw('A boat', { n: 2, size: 'wide', from: [mine] }, gemini);
    expect(imagesIn(drawn).map(({ width, height }) => [width, height])).toEqual(Array(2).fill([1344, 768]));
    const sent = services.provider.requests.find(({ path }) => path.endsWith(':generateContent'));
    expect(sent?.body).toMatchObject({
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '16:9' } },
      contents: [{ parts: [{ inlineData: { mimeType: expect.stringMatching(/^image\//) } }, { text: 'A boat' }] }],
    });
    const told = await drawNext('And now [[echo]]', drawn, undefined, gemini);
    expect(told.reply.parts.map(({ type }) => type)).toEqual(['text']);
  });

  it.each([
    ['fake:forbidden', 'Unable to show the generated image. The image may violate our policies.'],
    ['fake:words', 'I cannot draw that person.'],
  ])('says why it makes none: %s', async (word, text) => {
    const drawn = await draw(word, {}, { endpoint: 'google', model: 'gemini-2.5-flash-image' });
    expect(drawn.reply.reason).toMatchObject({ type: 'provider_refused', text });
  });
});

describe('a compatible server', () => {
  it('is asked for pictures by the models whose names say so', async () => {
    const drawn = await draw('A boat', { n: 1, size: 'tall' }, { endpoint: 'Paints', model: 'flux-1' });
    expect(imagesIn(drawn)[0]).toMatchObject({ width: 1024, height: 1536, credits: 0 });
    expect(pictureRequests(services).at(-1)?.body).toEqual({
      model: 'flux-1',
      prompt: 'A boat',
      n: 1,
      size: '1024x1536',
      response_format: 'b64_json',
    });
    const told = await draw('Say [[echo]]', undefined, { endpoint: 'Paints', model: 'fake:echo' });
    expect(told.reply.parts).toMatchObject([{ type: 'text' }]);
  });
});

async function untilPicture(generationId: string): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  for await (const { event } of services.deps.askService.attach(alice.id, generationId, 0, signal))
    if (event.type === 'part' && event.value.type === 'image') return;
  throw new Error('No picture came');
}

async function pictureRequestsOf(count: number) {
  await expect.poll(() => pictureRequests(services).length).toBe(count);
  return pictureRequests(services);
}

function hasPreview(part: MessagePart): part is Extract<MessagePart, { type: 'pending_picture' }> {
  return part.type === 'pending_picture' && part.preview !== undefined;
}
