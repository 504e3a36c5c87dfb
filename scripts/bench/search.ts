// (f) Searching and listing a large number of conversations. Searches are compared with their bare statements in the
// same run. MESSAGES, CONVOS and LISTED in the environment make it smaller.
import { connect, type Db } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { findConvos } from '@parley/server/search/find';
import { lookUp } from '@parley/server/search/lookup';
import { parseQuery } from '@parley/server/search/query';
import { createDevice, registerAccount, type Device } from '../api-client.ts';
import { atMost, type Figure, median, ms, nearlyAll, printFigures, timed } from './figures.ts';
import { fillLibrary, searchQueries } from './seed-conversations.ts';
import { openParley } from './parley-server.ts';

const SIZES = {
  messages: sizeOf('MESSAGES', 1_000_000),
  convos: sizeOf('CONVOS', 50_000),
  listed: sizeOf('LISTED', 100_000),
};
const ROUNDS = 5;
const PAGE = 100;
const LISTINGS = 200;

/** Prints the table and returns how many targets were missed. */
export async function benchSearch(): Promise<number> {
  // Unused: no question is asked.
  const parley = await openParley('http://127.0.0.1:9');
  const { connection, stop } = await startEmbedded(parley.folder);
  const db = connect(connection);
  try {
    const { url } = parley.server;
    const reader = await register(db, url, 'reader');
    const lister = await register(db, url, 'lister');
    const began = performance.now();
    await fillLibrary(db, { reader: reader.id, lister: lister.id, ...SIZES });
    console.log(`  ${SIZES.messages} messages written in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    const searches = await measureSearches(db, reader);
    const listings = await measureListings(lister.device);
    return printFigures(`(f) ${SIZES.messages} messages, ${SIZES.listed} conversations in the sidebar`, [
      ...searches,
      ...listings,
    ]);
  } finally {
    await db.end();
    await stop();
    await parley.close();
  }
}

interface Registered {
  id: string;
  device: Device;
}

async function register(db: Db, url: string, name: string): Promise<Registered> {
  const account = await registerAccount(url, name);
  const [row] = await db.sql<{ id: string }[]>`select id from users where email = ${account.email}`;
  return { id: row?.id ?? '', device: createDevice(url, account) };
}

/** Alternates the bare statements and the whole call, each query several times. */
async function measureSearches(db: Db, { id, device }: Registered): Promise<Figure[]> {
  const queries = searchQueries();
  const bare: number[] = [];
  const api: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const query of queries) {
      const statements = await timed(() => search(db, id, query));
      const call = await timed(() => device.api.convos.search.query({ query }));
      // The first round warms both up.
      if (round > 0) bare.push(statements);
      if (round > 0) api.push(call);
    }
  }
  const ratio = nearlyAll(api) / nearlyAll(bare);
  return [
    {
      name: `search, p95 of ${api.length}`,
      cells: { bare: ms(nearlyAll(bare)), parley: ms(nearlyAll(api)), ratio: ratio.toFixed(2) },
      target: atMost(ratio, 2, 'x'),
    },
    { name: 'search, median', cells: { bare: ms(median(bare)), parley: ms(median(api)) } },
  ];
}

async function search(db: Db, userId: string, text: string): Promise<void> {
  const known = await lookUp(db, userId, parseQuery(text));
  if (known) await findConvos(db, userId, known, known.upTo, { limit: 26, order: 'best', hits: 3 });
}

async function measureListings({ api }: Device): Promise<Figure[]> {
  const deep = await cursorAt(api, Math.floor(SIZES.listed * 0.9));
  const first: number[] = [];
  const far: number[] = [];
  for (let n = 0; n < LISTINGS; n++) {
    first.push(await timed(() => api.convos.list.query({ limit: 25 })));
    far.push(await timed(() => api.convos.list.query({ limit: 25, cursor: deep })));
  }
  const ratio = median(far) / median(first);
  return [
    {
      name: `first page of the sidebar, p95 of ${LISTINGS}`,
      cells: { parley: ms(nearlyAll(first)) },
      target: atMost(nearlyAll(first), 10, ' ms'),
    },
    {
      name: 'the page at nine tenths, median, beside the first',
      cells: { bare: ms(median(first)), parley: ms(median(far)), ratio: ratio.toFixed(2) },
      target: atMost(ratio, 1.5, 'x'),
    },
  ];
}

async function cursorAt(api: Device['api'], position: number): Promise<string | null> {
  let cursor: string | null = null;
  for (let read = 0; read < position; read += PAGE)
    cursor = (await api.convos.list.query({ limit: PAGE, cursor })).nextCursor ?? cursor;
  return cursor;
}

function sizeOf(name: string, usual: number): number {
  return Number(process.env[name] ?? usual);
}
