// What a search in documents finds: by words in PostgreSQL, and by the vectors of the fake provider, for which words of
// one meaning are one word.
import { randomUUID } from 'node:crypto';
import { documents } from '@parley/db/tables/documents';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { addFile, awaitState, plainExtractor } from '../../support/retrieval/stored-files.ts';

const noSignal = new AbortController().signal;
let services: TestServices;
let alice: Person;
let bob: Person;
let book: string;
let leaflet: string;

beforeAll(async () => {
  const env = { EMBEDDINGS_ENDPOINT: 'openAI', EMBEDDINGS_MODEL: 'small' };
  services = await openTestServices(env, {}, plainExtractor());
  alice = await services.as('alice');
  bob = await services.as('bob');
  book = await add(bookText(), 'book.txt');
  leaflet = await add('The town has a harbour.\n\nA physician lives at the harbour.', 'leaflet.txt');
});
afterAll(() => services.close());

describe.each(['asks each of few passages', 'looks the words of many passages up'])('a search by words %s', (way) => {
  const look = way.startsWith('looks') ? findAmongMany : find;

  it('finds the rare word among many common ones, and joins its neighbors', async () => {
    const found = await look('What did the people of the town say about the heliograph?', [book]);
    expect(found.some(({ body }) => body.includes('the heliograph on the hill'))).toBe(true);
    expect(found.every(({ fileId }) => fileId === book)).toBe(true);
  });

  it('prefers the passage with more of the words', async () => {
    const [first] = await look('heliograph repaired', [book], 60);
    expect(first?.body).toContain('heliograph was repaired');
  });

  it('finds words that are in every passage, when all of them are', async () => {
    const found = await look('paragraph town', [book]);
    expect(found.length).toBeGreaterThan(0);
  });

  it('folds case and accents, and splits scripts without spaces', async () => {
    const id = await add('Der Zug hält in Zürich.\n\n東京都庁へ行きました。\n\nNichts davon.', 'orte.txt');
    const [zurich] = await look('ZURICH', [id], 8);
    expect(zurich?.body).toContain('Zürich');
    const [tokyo] = await look('東京都庁はどこですか', [id], 8);
    expect(tokyo?.body).toContain('東京都庁');
  });

  it('says the page', async () => {
    const id = await add('Rain.\fSnow on the heights.\fSun.', 'weather.txt');
    const [first] = await look('snow', [id], 6);
    expect(first).toMatchObject({ fileId: id, n: 1, page: 2 });
  });
});

describe('a search by meaning', () => {
  it('finds what shares no word with the question', async () => {
    const [first] = await find('doctor', [leaflet], 10);
    expect(first?.body).toBe('A physician lives at the harbour.');
  });

  it('is merged with the search by words', async () => {
    const found = await find('doctor heliograph', [book, leaflet]);
    const bodies = found.map(({ body }) => body).join('\n');
    expect(bodies).toContain('heliograph');
    expect(bodies).toContain('physician');
  });
});

describe('a search', () => {
  it('gives the beginnings of the files when it finds nothing', async () => {
    const id = await add('First of all.\n\nSecond of all.', 'order.txt');
    const found = await find('xyzzy', [id]);
    expect(found).toMatchObject([{ n: 0, body: 'First of all.\nSecond of all.' }]);
    expect(await find('', [id])).toMatchObject([{ n: 0 }]);
  });

  it('keeps to its tokens and to eight chunks', async () => {
    const all = await find('paragraph town people', [book], 10_000);
    const chunks = all.flatMap(({ body }) => body.match(/Paragraph \d+/g) ?? []);
    expect(chunks.length).toBeLessThanOrEqual(8);
    const few = await find('paragraph town people', [book], 50);
    expect(few.map(({ body }) => body).join('').length).toBeLessThan(4 * 50);
  });

  it("finds nothing in another user's file or in none", async () => {
    expect(await find('heliograph', [book], 6000, bob)).toEqual([]);
    expect(await find('heliograph', [randomUUID()])).toEqual([]);
    expect(await find('heliograph', [])).toEqual([]);
  });

  it('is refused for files with more than 100,000 chunks', async () => {
    const { query } = services.deps.db;
    const ids = [await add('Half of it.', 'half.txt'), await add('The other half.', 'other.txt')];
    await query.update(documents).set({ chunks: 50_000 }).where(inArray(documents.fileId, ids));
    expect(await find('half', ids)).not.toEqual([]);
    await query
      .update(documents)
      .set({ chunks: 50_001 })
      .where(inArray(documents.fileId, ids.slice(1)));
    const reason = { type: 'files_too_long', passages: 100_001, max: 100_000 };
    await expect(find('half', ids)).rejects.toMatchObject({ reason });
    expect(await find('half', ids.slice(1))).not.toEqual([]);
  });

  it.each([false, true])(
    'finds the one different chunk among a thousand with the same words, looked up: %s',
    async (isMany) => {
      const look = isMany ? findAmongMany : find;
      const same = Array.from({ length: 1100 }, (_, n) => `The river rises and the river falls, ${n}.`);
      const id = await add([...same, 'The river rises over the bridge.'].join('\n\n'), 'river.txt');
      const found = await look('When did the river rise over the bridge?', [id]);
      expect(found.some(({ body }) => body.includes('over the bridge'))).toBe(true);
      // Words that are everywhere.
      expect(await look('the river and the river', [id])).not.toEqual([]);
    },
  );
});

describe('a passage', () => {
  it('comes with its neighbors', async () => {
    const id = await add('One.\n\nTwo.\n\nThree.\fFour.', 'count.txt');
    expect(await alice.api.files.passage({ fileId: id, n: 2 })).toEqual({
      fileId: id,
      name: 'count.txt',
      mime: 'text/plain',
      bytes: 24,
      pages: 2,
      passage: { n: 2, page: 1, heading: null, text: 'Three.' },
      before: { n: 1, page: 1, heading: null, text: 'Two.' },
      after: { n: 3, page: 2, heading: null, text: 'Four.' },
    });
    expect(await alice.api.files.passage({ fileId: id, n: 0 })).toMatchObject({
      before: null,
      passage: { text: 'One.' },
    });
  });

  it('of another user, of a missing file or beyond the end is not found', async () => {
    const notFound = { reason: { type: 'not_found', what: 'file' } };
    await expect(bob.api.files.passage({ fileId: book, n: 0 })).rejects.toMatchObject({ cause: notFound });
    await expect(alice.api.files.passage({ fileId: randomUUID(), n: 0 })).rejects.toMatchObject({ cause: notFound });
    await expect(alice.api.files.passage({ fileId: leaflet, n: 2 })).rejects.toMatchObject({ cause: notFound });
  });
});

async function add(text: string, name: string): Promise<string> {
  const id = await addFile(services, alice, text, { name });
  await awaitState(services, id, 'ready');
  return id;
}

function find(question: string, fileIds: string[], tokensMax = 6000, { id: userId } = alice) {
  return services.deps.retrieval.find({ userId, fileIds, question, tokensMax }, noSignal);
}

/** The same as among many passages, whose words are looked up. */
function findAmongMany(question: string, fileIds: string[], tokensMax = 6000) {
  const finding = { userId: alice.id, fileIds, question, tokensMax, scannedChunksMax: 0 };
  return services.deps.retrieval.find(finding, noSignal);
}

function bookText(): string {
  const paragraphs = Array.from(
    { length: 300 },
    (_, n) => `Paragraph ${n} of the people of the town and what they say.`,
  );
  const facts = ['They spoke of the heliograph on the hill.', 'In spring the heliograph was repaired by the people.'];
  return [...paragraphs.slice(0, 150), ...facts, ...paragraphs.slice(150)].join('\n\n');
}
