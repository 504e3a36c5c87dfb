// Two servers on one database, and the one that draws is killed: what has come stays, is paid once, and has its file.
import { build } from '@parley/scripts/build';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { question } from '../../support/exchange.ts';
import { finalOf, startServerPair, type ServerPair } from '../../support/installation/server-pair.ts';
import { imagesIn } from './asks.ts';

let provider: FakeProvider;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
}, 300_000);
afterAll(() => provider.close());

const start = () =>
  startServerPair(provider, {
    OPENAI_MODELS: 'gpt-4',
    OPENAI_IMAGE_MODELS: 'gpt-image-1',
    CHECK_BALANCE: 'true',
    TITLE_CONVO: 'false',
  });

async function draw({ desk }: ServerPair, text: string) {
  const input = question(text, { model: 'gpt-image-1', picture: { n: 4, size: 'square', quality: 'draft' } });
  await desk.api.messages.ask.mutate(input);
  return input;
}

/** What is left of the balance, what is set aside, what the ledger has, and the files with those that answers use. */
async function booksOf({ sql }: ServerPair) {
  const [books] = await sql<{ credits: number; reserved: number; ledger: number; files: number; used: number }[]>`
    select b.credits::int as credits, b.reserved::int as reserved,
      (select sum(token_value)::int from transactions) as ledger,
      (select count(*)::int from files) as files,
      (select count(distinct file_id)::int from file_uses where kind = 'message') as used
    from balances b`;
  return books;
}

it.each([
  ['before its first picture', 'fake:hang ship', 0],
  ['after the first of four', 'fake:first ship', 1],
])('a server that is killed %s leaves what has come to another', async (_, text, pictures) => {
  const pair = await start();
  const before = await booksOf(pair);
  const input = await draw(pair, text);
  await expect.poll(() => pair.sql`select count(*)::int as files from files`).toEqual([{ files: pictures }]);
  await expect
    .poll(() => provider.requests.filter(({ path }) => path.includes('/images/')).length)
    .toBeGreaterThanOrEqual(pictures + 1);
  // The picture is in the log of the answer, not only in the store.
  await expect
    .poll(
      () =>
        pair.sql`select count(*)::int as made from generation_events
          where generation_id = ${input.generationId} and event->'value'->>'type' = 'image'`,
    )
    .toEqual([{ made: pictures }]);
  await pair.kill();
  const final = await finalOf(pair.phone, input.generationId);
  expect(final.reply).toMatchObject({ unfinished: true, reason: { type: 'interrupted' } });
  expect(imagesIn(final)).toHaveLength(pictures);
  const after = await booksOf(pair);
  expect(after).toMatchObject({ reserved: 0, credits: after?.ledger, files: pictures, used: pictures });
  expect((before?.credits ?? 0) - (after?.credits ?? 0)).toBe(
    imagesIn(final).reduce((sum, { credits }) => sum + (credits ?? 0), 0),
  );
});

it('a server that is killed at any moment leaves no file that nothing knows of, and no picture without a file', async () => {
  const pair = await start();
  const input = await draw(pair, 'fake:slow ship');
  // The pictures come one after the other, each with a file, a row and an event.
  await expect.poll(async () => (await booksOf(pair))?.files).toBeGreaterThanOrEqual(1);
  await pair.kill();
  const images = imagesIn(await finalOf(pair.phone, input.generationId));
  const stored = await pair.sql<{ id: string; expires: boolean }[]>`
    select id, expires_at is not null as expires from files`;
  for (const { fileId } of images) expect(stored.find(({ id }) => id === fileId)).toMatchObject({ expires: false });
  // What came too late for the answer expires, as an upload does that nobody sends.
  const rest = stored.filter(({ id }) => images.every(({ fileId }) => fileId !== id));
  expect(rest.every(({ expires }) => expires)).toBe(true);
  const books = await booksOf(pair);
  expect(books).toMatchObject({ reserved: 0, credits: books?.ledger, used: images.length });
});
