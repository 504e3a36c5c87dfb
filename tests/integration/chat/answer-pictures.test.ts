// What of an answer is no text is kept with it: pictures as files, pages as sources.
import { files, fileUses } from '@parley/db/tables/files';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { ImagePart, Message } from '@parley/schema/messages/messages';
import { readWebSources } from '@parley/schema/tools/web-sources';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listPages } from '../../../web/src/files/citations/web-sources.ts';
import { answerRequests, exchange, followUp, question } from '../../support/exchange.ts';
import { continuation } from './asks.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let png = '';

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'gpt-4,fake:begun,fake:gone-on,fake:ended' });
  alice = await services.as('alice');
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#c00' } });
  png = (await image.png().toBuffer()).toString('base64');
});
beforeEach(() => services.provider.clear());
afterAll(() => services.close());

/** Answers with these chunks. */
function answering(name: string, ...chunks: object[]): void {
  const bytes = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  services.provider.script(name, {
    about: name,
    script: () => ({
      kind: 'stream',
      steps: [{ type: 'raw', bytes }],
      pace: { every: 0, count: 1 },
      delay: 0,
      finish: 'stop',
      usage: 'never',
      done: true,
      repeatsText: false,
      framing: { lineEnd: '\n', slices: 'whole', dressed: false },
      after: [],
    }),
  });
}

const piece = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, finish_reason: null }], ...more });
const drawing = (data: string) => piece({ images: [{ image_url: { url: `data:image/png;base64,${data}` } }] });
const ask = (name: string) => exchange(services, alice.id, question(`Draw [[${name}]]`, { model: 'gpt-4' }));
const goOn = (after: FinalEvent) =>
  exchange(services, alice.id, followUp('And now [[echo]]', after, { model: 'gpt-4' }));

describe('a picture of an answer', () => {
  it('a picture becomes a file of the person who asked, stands in the answer and has its cost', async () => {
    answering('draw', piece({ content: 'Here it is:' }), drawing(png));
    const drawn = await ask('draw');
    expect(drawn.reply).toMatchObject({ reason: null, finishReason: 'stop' });
    expect(drawn.reply.parts.map(({ type }) => type)).toEqual(['text', 'image']);
    const image = drawn.reply.parts[1] as ImagePart;
    expect(image).toMatchObject({ width: 40, height: 30, name: expect.stringMatching(/^picture-1\./) });
    expect(drawn.reply.usage?.output).toBeGreaterThan(1290);
    const { query } = services.deps.db;
    const [file] = await query.select().from(files).where(eq(files.id, image.fileId));
    expect(file).toMatchObject({ userId: alice.id, context: 'image_generation', expiresAt: null });
    const uses = await query.select().from(fileUses).where(eq(fileUses.fileId, image.fileId));
    expect(uses).toMatchObject([{ kind: 'message', ref: drawn.reply.messageId }]);
    const kept = await services.deps.readFile(alice.id, image.fileId, 1_000_000);
    expect((await sharp(kept?.bytes).metadata()).width).toBe(40);
    expect((await goOn(drawn)).reply.reason).toBeNull();
  });

  it('a picture without words is an answer', async () => {
    answering('only-draw', drawing(png));
    const drawn = await ask('only-draw');
    expect(drawn.reply).toMatchObject({ reason: null, parts: [{ type: 'image' }] });
    expect((await goOn(drawn)).reply.reason).toBeNull();
  });

  it('an unreadable picture is reported, and the answer goes on', async () => {
    answering(
      'bad-draw',
      drawing(Buffer.from('This is no picture. '.repeat(20)).toString('base64')),
      piece({ content: 'So.' }),
    );
    const drawn = await ask('bad-draw');
    expect(drawn.reply).toMatchObject({
      reason: null,
      parts: [
        { type: 'tool_call', call: { state: 'failed', output: 'The picture of the answer cannot be read.' } },
        { type: 'text', text: 'So.' },
      ],
    });
  });
});

describe('the pages that an answer names', () => {
  it('searched pages are kept with the answer, and the model does not get them again', async () => {
    const url = 'https://example.org/a';
    const annotations = [{ type: 'url_citation', url_citation: { url, title: 'A page' } }];
    answering('cited', piece({ content: 'Paris[1].' }, { citations: [url] }), piece({ annotations }));
    const cited = await ask('cited');
    expect(cited.reply).toMatchObject({
      reason: null,
      parts: [{ type: 'text', text: 'Paris[1].' }, { type: 'tool_call' }],
    });
    const [, call] = cited.reply.parts;
    const output = call?.type === 'tool_call' ? call.call.output : null;
    expect(readWebSources(output ?? '')).toEqual([{ n: 1, title: 'A page', url, snippet: '' }]);
    await goOn(cited);
    expect(JSON.stringify(answerRequests(services.provider).at(-1)?.body)).not.toContain('example.org');
  });

  it('an answer that goes on keeps its pages, adds those of the rest and gives these numbers of their own', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `https://example.org/${name}`) as [string, string, string];
    answering('begun', piece({ content: 'Paris[1], France[2].' }, { citations: [a, b] }));
    answering('gone-on', piece({ content: 'Rome[1], again[2], `x[1]`.' }, { citations: [c, a] }));
    answering('ended', piece({ content: 'Bonn[2].' }));
    const begun = await exchange(services, alice.id, question('Where?', { model: 'fake:begun' }));
    const target = { kind: 'continue' as const, messageId: begun.reply.messageId, evenIfComplete: true };
    const goOnAs = (model: string) => exchange(services, alice.id, continuation(begun, { model, target }));
    const rest = await goOnAs('fake:gone-on');
    const pages = [
      { n: 1, title: '', url: a, snippet: '' },
      { n: 2, title: '', url: b, snippet: '' },
      { n: 3, title: '', url: c, snippet: '' },
    ];
    expect(rest.reply.messageId).toBe(begun.reply.messageId);
    expect(rest.reply.parts).toMatchObject([
      { type: 'text', text: 'Paris[1], France[2].' },
      { type: 'tool_call' },
      { type: 'text', text: ' Rome[3], again[1], `x[1]`.' },
    ]);
    expect(pagesIn(rest.reply)).toEqual(pages);
    expect(listPages(rest.reply).map(({ source, marks }) => [source.url, marks])).toEqual([
      [a, ['[1]']],
      [b, ['[2]']],
      [c, ['[3]']],
    ]);
    // A rest without pages changes nothing of them.
    const end = await goOnAs('fake:ended');
    expect(end.reply.parts.at(-1)).toMatchObject({ text: ' Rome[3], again[1], `x[1]`. Bonn[2].' });
    expect(pagesIn(end.reply)).toEqual(pages);
  });
});

/** In all of its searches, in order. */
function pagesIn({ parts }: Pick<Message, 'parts'>) {
  return parts.flatMap((part) => (part.type === 'tool_call' ? readWebSources(part.call.output ?? '') : []));
}
