// The index of uploaded files and the search in it, as the server starts them: our own, or the service at RAG_API_URL.
import type { Endpoints } from '../catalog/endpoint.ts';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/parts/secrets.ts';
import { readingFolder } from '../storage/arrivals.ts';
import type { FileStores } from '../storage/file-store.ts';
import type { Timings } from '../config/timings.ts';
import { readChunks } from './documents.ts';
import { createEmbedder } from './embed.ts';
import type { Extractor } from './extracted.ts';
import { findPassages, type Finding } from './find.ts';
import { createIndexQueue, createQueue } from './index-queue.ts';
import { joinSections, type FoundPassage, type TextSection } from './passages.ts';
import { createRagApi } from './rag-api.ts';
import { forgetDeletedFiles } from './rag-removals.ts';
import { createRagIndexer, findInService } from './rag-index.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

export interface Retrieval {
  /** A document begins to arrive: what will read it is started meanwhile. */
  prepare(): void;
  /** Looks for queued documents now. */
  wake(): void;
  find(finding: Finding, signal: AbortSignal): Promise<FoundPassage[]>;
  /** The whole text of a document; empty where it is unknown. */
  sectionsOf(userId: string, fileId: string, signal: AbortSignal): Promise<TextSection[]>;
  /** Whether passages of files that are shown whole can be opened, and so cited: an outside index has no places. */
  citesWhole: boolean;
  /** Gives back the document that is being indexed, and ends. */
  close(): Promise<void>;
}

interface From extends CoreServices {
  stores: FileStores;
  secrets: Pick<Secrets, 'jwtSecret'>;
  endpoints: Endpoints;
  extractor: Extractor;
  owner: string;
  timings: Timings;
}

export function createRetrieval(from: From): Retrieval {
  const { rag } = from.config.retrieval;
  return rag ? createRemote(from, rag) : createOwn(from);
}

function createOwn({ db, stores, config, endpoints, extractor, owner, log, timings }: From): Retrieval {
  const embedder = createEmbedder(config, endpoints);
  const folder = readingFolder(config);
  const queue = createIndexQueue({ db, stores, extractor, embedder, folder, owner, log, timings });
  return {
    prepare: extractor.prepare,
    wake: queue.wake,
    find: (finding, signal) => findPassages({ db, embedder }, finding, signal),
    citesWhole: true,
    async sectionsOf(userId, fileId) {
      const chunks = await readChunks(db.query, userId, fileId);
      return joinSections(chunks.map(({ text, ...place }) => ({ ...place, body: text })));
    },
    async close() {
      await queue.close();
      await extractor.close();
    },
  };
}

function createRemote(from: From, rag: NonNullable<Config['retrieval']['rag']>): Retrieval {
  const { db, stores, config, secrets, extractor, owner, log, timings } = from;
  const { usesFullContext } = rag;
  const api = createRagApi(rag, secrets.jwtSecret);
  const indexer = createRagIndexer({ db, stores, folder: readingFolder(config), api, usesFullContext, log });
  const queue = createQueue({ db, owner, log, timings }, indexer);
  const endForgetting = forgetDeletedFiles({ db, api, log }, timings);
  return {
    // The service reads them.
    prepare() {},
    wake: queue.wake,
    find: (finding, signal) => findInService({ db, api, log }, finding, signal),
    citesWhole: false,
    async sectionsOf(userId, fileId, signal) {
      const text = usesFullContext ? await api.context(userId, fileId, signal).catch(() => null) : null;
      return text === null || text.trim() === '' ? [] : [{ n: 0, last: 0, page: null, heading: null, text }];
    },
    async close() {
      await queue.close();
      await endForgetting();
      await extractor.close();
    },
  };
}
