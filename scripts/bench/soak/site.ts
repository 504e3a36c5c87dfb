// The server of a soak with its database and its provider, and what is read of them for a row.
import { connect } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { startServer } from '../../server-process.ts';
import { startHelper } from '../child-process.ts';
import { databaseProcesses, proportionalBytes } from '../process-usage.ts';
import type { ProviderCalls } from '../provider-process.ts';

const METRICS_TOKEN = 'soak';

/** What is read often. */
export interface Gauges {
  resident: number;
  heap: number;
  connections: number;
  sockets: number;
}

/** What is read once for a row. */
export interface DatabaseReading {
  databaseMemory: number;
  databaseSize: number;
  /** Committed since the database began to count. */
  transactions: number;
}

export interface Site {
  url: string;
  readGauges(): Promise<Gauges>;
  readDatabase(): Promise<DatabaseReading>;
  close(): Promise<void>;
}

/** Over the data in `folder`, from an earlier part or new. */
export async function openSite(folder: string): Promise<Site> {
  const provider = startHelper<ProviderCalls>('./provider-process.ts');
  const server = await startServer(folder, {
    DATA_DIR: folder,
    PORT: '0',
    METRICS_TOKEN,
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${await provider.url()}/v1`,
    OPENAI_MODELS: 'gpt-4',
    REGISTER_MAX: '100000',
    LOGIN_MAX: '100000',
  });
  const { connection, stop } = await startEmbedded(folder);
  return {
    url: server.url,
    async readGauges() {
      if (server.ended()) throw new Error(`The server has ended: ${server.said().slice(-2000)}`);
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const response = await fetch(`${server.url}/metrics`, { headers });
      return gaugesIn(await response.text());
    },
    async readDatabase() {
      // The provider remembers all questions until it is asked for them.
      await provider.firstWords([]);
      // Before this process has a connection of its own.
      const databaseMemory = databaseProcesses(folder).reduce((sum, pid) => sum + proportionalBytes(pid), 0);
      const db = connect(connection);
      try {
        const [row] = await db.sql<{ size: number; transactions: number }[]>`
          select pg_database_size(current_database())::float8 as size, xact_commit::float8 as transactions
          from pg_stat_database where datname = current_database()`;
        return { databaseMemory, databaseSize: row?.size ?? 0, transactions: row?.transactions ?? 0 };
      } finally {
        await db.end();
      }
    },
    async close() {
      await server.end('SIGTERM');
      await Promise.all([stop(), provider.end()]);
    },
  };
}

function gaugesIn(text: string): Gauges {
  const valueOf = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    );
  return {
    resident: valueOf('process_resident_memory_bytes'),
    heap: valueOf('nodejs_heap_size_used_bytes'),
    connections: valueOf('parley_database_connections'),
    sockets: valueOf('parley_websockets_open'),
  };
}
