// The index of uploaded files and the search in it, as the server starts them.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import type { Endpoints } from '../catalog/endpoint.ts';
import type { Config } from '../config.ts';
import { readingFolder } from '../storage/arrivals.ts';
import type { FileStores } from '../storage/file-store.ts';
import type { Timings } from '../timings.ts';
import { createEmbedder } from './embed.ts';
import type { Extractor } from './extracted.ts';
import { findPassages, type Finding } from './find.ts';
import { createIndexQueue } from './index-queue.ts';
import type { FoundPassage } from './passages.ts';

export interface Retrieval {
  /** Looks for queued documents now. */
  wake(): void;
  find(finding: Finding, signal: AbortSignal): Promise<FoundPassage[]>;
  /** Gives back the document that is being indexed, and ends. */
  close(): Promise<void>;
}

interface From {
  db: Db;
  stores: FileStores;
  config: Config;
  endpoints: Endpoints;
  extractor: Extractor;
  owner: string;
  log: Logger;
  timings: Timings;
}

export function createRetrieval({ db, stores, config, endpoints, extractor, owner, log, timings }: From): Retrieval {
  const embedder = createEmbedder(config, endpoints);
  const folder = readingFolder(config);
  const queue = createIndexQueue({ db, stores, extractor, embedder, folder, owner, log, timings });
  return {
    wake: queue.wake,
    find: (finding, signal) => findPassages({ db, embedder }, finding, signal),
    async close() {
      await queue.close();
      await extractor.close();
    },
  };
}
