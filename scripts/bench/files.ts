// (h) Files: what an upload, a download, a photo, a long PDF and a search in many passages cost beside the bare work in
// the same run. UPLOAD_MB, PDF_PAGES, PASSAGES and FILE_ROUNDS in the environment make it smaller.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Db } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { writeImage } from '@parley/server/files/images';
import { findPassages } from '@parley/server/retrieval/find';
import sharp from 'sharp';
import { registerAccount } from '../api-client.ts';
import type { BareFilesCalls } from './files/bare.ts';
import { startHelper } from './child-process.ts';
import { nearlyAll, printFigures, type Figure } from './figures.ts';
import { openParley } from './parley-server.ts';
import { compare, inTurns, note, pairs, timed } from './files/compare.ts';
import { measurePdf } from './files/pdf.ts';
import { postFile, sendFile, type Sender } from './files/post-file.ts';

const SIZES = {
  uploadMb: sizeOf('UPLOAD_MB', 200),
  pages: sizeOf('PDF_PAGES', 300),
  passages: sizeOf('PASSAGES', 100_000),
};
const ROUNDS = sizeOf('FILE_ROUNDS', 5);
const MEGABYTE = 1024 * 1024;
/** Of a download, from the middle of the file. */
const RANGE = 8 * MEGABYTE;
/** Of each uploaded file. */
const READS = 10;
const PHOTO = { width: 4000, height: 3000 };
const QUESTION = 'Which ferry crosses the river at the lighthouse of valley 77?';

/** Prints the table and returns how many targets are missed. */
export async function benchFiles(): Promise<number> {
  // Unused: no question is asked.
  const parley = await openParley('http://127.0.0.1:9', { FILES_MAX_MB_PER_USER: '100000', ...UNLIMITED });
  const { connection, stop } = await startEmbedded(parley.folder);
  const db = connect(connection);
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-files-'));
  try {
    const account = await registerAccount(parley.server.url, 'sender');
    const [user] = await db.sql<{ id: string }[]>`select id from users where email = ${account.email}`;
    const sender = { id: user?.id ?? '', url: parley.server.url, token: await account.token() };
    const figures = [
      ...(await measureTransfer(sender, folder)),
      await measurePhoto(folder),
      ...(await measurePdf({ db, sender, folder, pages: SIZES.pages, rounds: ROUNDS })),
      ...(await measureSearch(db, sender.id)),
    ];
    const { uploadMb, pages, passages } = SIZES;
    return printFigures(`(h) files: ${uploadMb} MB, 12 MP, ${pages} pages, ${passages} passages`, figures);
  } finally {
    await db.end();
    await stop();
    await parley.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const UNLIMITED = { FILE_UPLOAD_USER_MAX: '100000', FILE_UPLOAD_IP_MAX: '100000' };

/** Uploads and downloads in turns with the bare server. */
async function measureTransfer(sender: Sender, folder: string): Promise<Figure[]> {
  const bare = startHelper<BareFilesCalls>('./files/bare.ts');
  try {
    const bareUrl = await bare.open(folder);
    const { id, url, token } = sender;
    const headers = { authorization: `Bearer ${token}` };
    const [uploads, downloads] = [pairs(), pairs()];
    for (let round = 0; round <= ROUNDS; round++) {
      const bytes = new Uint8Array(randomBytes(SIZES.uploadMb * MEGABYTE));
      let [name, fileId] = ['', ''];
      const up = await inTurns(round, {
        bare: async () => void (name = await (await postFile(bareUrl, zip(bytes))).text()),
        parley: async () => void (fileId = await sendFile(sender, zip(bytes))),
      });
      // The first round warms both up.
      if (round > 0) note(uploads, up);
      for (let read = 0; read < READS; read++) {
        const down = await inTurns(read, {
          bare: () => readRange(`${bareUrl}/${name}`),
          parley: () => readRange(`${url}/api/files/download/${id}/${fileId}`, headers),
        });
        if (round > 0) note(downloads, down);
      }
    }
    return [
      compare(`upload of ${SIZES.uploadMb} MB, median`, uploads, { atMost: 1.25 }),
      compare(`range of ${RANGE / MEGABYTE} MB, median`, downloads, { atMost: 1.25 }),
    ];
  } finally {
    await bare.end();
  }
}

/** Named and signed as what it is not: bytes that are nothing known are refused. */
function zip(bytes: Uint8Array<ArrayBuffer>): File {
  bytes.set([0x50, 0x4b, 0x03, 0x04]);
  return new File([bytes], 'bench.zip', { type: 'application/zip' });
}

async function readRange(url: string, headers: Record<string, string> = {}): Promise<void> {
  const from = Math.floor((SIZES.uploadMb * MEGABYTE) / 2);
  const to = Math.min(from + RANGE, SIZES.uploadMb * MEGABYTE) - 1;
  const response = await fetch(url, { headers: { ...headers, range: `bytes=${from}-${to}` } });
  let bytes = 0;
  for await (const piece of response.body ?? []) bytes += piece.length;
  if (bytes !== to - from + 1) throw new Error(`The range has ${bytes} bytes`);
}

/** What is done with a photo beside the same work of the library alone. */
async function measurePhoto(folder: string): Promise<Figure> {
  const [photo, written] = [join(folder, 'photo.jpeg'), join(folder, 'written')];
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  await sharp({ create: { ...PHOTO, channels: 3, background: '#468', noise } })
    .jpeg()
    .toFile(photo);
  const runs = pairs();
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await timed(() => sharp(photo).autoOrient().resize(1024, 768).png().toFile(written));
    const parley = await timed(() => writeImage(photo, written, { format: 'png' }));
    if (round > 0) note(runs, { bare, parley });
  }
  return compare('photo of 12 MP, median', runs, { atMost: 1.3 });
}

/**
 * A search by words in all passages, beside the plain query that orders them by the words they share with the question,
 * and beside one that only finds those with its rarest word.
 */
async function measureSearch(db: Db, userId: string): Promise<Figure[]> {
  const fileId = await fillChunks(db, userId);
  const plain = pairs();
  const rarest = pairs();
  const finding = { userId, fileIds: [fileId], question: QUESTION, tokensMax: 6000 };
  const words = QUESTION.toLowerCase().match(/\w+/g) ?? [];
  for (let round = 0; round <= 4 * ROUNDS; round++) {
    const ranked = await timed(
      () => db.sql`
        with asked as materialized (
          select array_agg(search_hash(word, ${fileId}::uuid)) as hashes from unnest(${words}::text[]) as word
        )
        select n, body from chunks, asked where user_id = ${userId} and file_id = ${fileId} and words && hashes
        order by cardinality(array(select unnest(words) intersect select unnest(hashes))) desc limit 8`,
    );
    const found = await timed(
      () => db.sql`
        select n, body from chunks where user_id = ${userId} and file_id = ${fileId}
          and words && array[search_hash('lighthouse', ${fileId}::uuid)] limit 1000`,
    );
    const parley = await timed(() => findPassages({ db, embedder: null }, finding, new AbortController().signal));
    if (round === 0) continue;
    note(plain, { bare: ranked, parley });
    note(rarest, { bare: found, parley });
  }
  return [
    compare(`search in ${SIZES.passages} passages beside a plain ranking, p95`, plain, { of: nearlyAll, atMost: 2 }),
    compare('the same beside finding its rarest word alone, median', rarest),
  ];
}

async function fillChunks(db: Db, userId: string): Promise<string> {
  const [fileId, hash] = [randomUUID(), '0'.repeat(64)];
  const { passages } = SIZES;
  await db.sql`
    insert into blobs (user_id, hash, bytes, store, state) values (${userId}, ${hash}, 1, 'local', 'stored')`;
  await db.sql`
    insert into files (user_id, id, hash, name, mime, bytes, context, source)
    values (${userId}, ${fileId}, ${hash}, 'valleys.txt', 'text/plain', 1, 'message_attachment', 'local')`;
  await db.sql`
    insert into documents (user_id, file_id, state, chunks, tokens)
    values (${userId}, ${fileId}, 'ready', ${passages}, ${passages * 40})`;
  await db.sql`
    insert into chunks (user_id, file_id, n, body, tokens)
    select ${userId}, ${fileId}, n, concat('The river of valley ', n % 97, ' runs past mill ', n, ' and farm ', n % 1013,
      case when n % 499 = 0 then '; a ferry crosses it at the lighthouse.' else '; people and weather are as ever.' end), 40
    from generate_series(0, ${passages - 1}) as n`;
  await db.sql`analyze chunks`;
  return fileId;
}

function sizeOf(name: string, usual: number): number {
  return Number(process.env[name] ?? usual);
}
