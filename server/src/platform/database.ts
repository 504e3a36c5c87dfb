import { assertReachable, type Connection } from '@parley/db/client';
import type { Config } from '../config.ts';

/** Opens the operator's database, or starts the embedded one. `close` stops what was started. */
export async function openDatabase(config: Config): Promise<{ connection: Connection; close(): Promise<void> }> {
  if (config.database.kind === 'external') {
    const connection: Connection = { kind: 'url', url: config.database.url };
    await assertReachable(connection);
    return { connection, close: async () => {} };
  }
  const { startEmbedded } = await import('@parley/db/embedded');
  const { connection, stop } = await startEmbedded(config.server.dataDir);
  return { connection, close: stop };
}
