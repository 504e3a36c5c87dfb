import { assertReachable, type Connection, type UrlConnection } from '@parley/db/client';
import { probePooler } from '@parley/db/pooler';
import type { DeepReadonly } from '../config/freeze.ts';
import type { DatabaseConfig, ServerConfig } from '../config/parts/server.ts';

export interface DatabaseSettings {
  database: DeepReadonly<DatabaseConfig>;
  server: Pick<ServerConfig, 'dataDir'>;
}

export interface OpenDatabase {
  connection: Connection;
  /** The numbers of other processes on this data folder that were told to stop and have not ended. */
  stuck: number[];
  /** Tells later starts on this data folder that this process has begun to stop. */
  announceStop(): Promise<void>;
  /** Stops what was started. */
  close(): Promise<void>;
}

/** Opens the operator's database, or starts the embedded one. */
export async function openDatabase(config: DatabaseSettings): Promise<OpenDatabase> {
  if (config.database.kind === 'external') {
    const { url, directUrl, prepare: mode } = config.database;
    const asked: UrlConnection = { kind: 'url', url, directUrl };
    for (const address of new Set([url, directUrl ?? url])) await assertReachable({ kind: 'url', url: address });
    const connection = { ...asked, prepare: await probePooler(asked, mode) };
    return { connection, stuck: [], announceStop: async () => {}, close: async () => {} };
  }
  const { startEmbedded } = await import('@parley/db/embedded');
  const { connection, stuck, announceStop, stop } = await startEmbedded(config.server.dataDir);
  return { connection, stuck, announceStop, close: stop };
}
