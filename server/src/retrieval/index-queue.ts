// The index of uploaded files: takes one document at a time from the queue, which is the table of documents itself. A
// process that is killed leaves a lease that expires; the next one goes on with what is saved.
import { findPgCode, type Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { Refusal } from '../platform/errors.ts';
import { logError, warnOfFile } from '../platform/log-error.ts';
import type { Timings } from '../config/timings.ts';
import { isTransient } from './embed.ts';
import { embedDocument, LostDocument, readDocument, type Indexing } from './index-document.ts';
import {
  claimDocument,
  RAG_MODEL,
  release,
  renewLease,
  retryLater,
  RENEW_EVERY_MS,
  complete,
  type Claim,
} from './leases.ts';

export interface IndexQueue {
  /** Looks for a document now. */
  wake(): void;
  /** Gives back what it works on, and ends. */
  close(): Promise<void>;
}

/** What is done with a document. */
export interface Indexer {
  /** Called once at the start: queues what must be indexed anew. */
  begin(): Promise<void>;
  /** Indexes a document, from wherever an earlier process came to, and settles it. */
  advance(claim: Claim, signal: AbortSignal): Promise<void>;
}

interface Queueing {
  db: Db;
  owner: string;
  log: Logger;
  timings: Pick<Timings, 'indexEveryMs' | 'indexRetryMs'>;
}

/** After so many failures a file is given up, and vectors are done without. */
const ATTEMPTS_MAX = 5;
const RETRY_FACTOR = 4;
const FOREIGN_KEY_VIOLATION = '23503';

/** The queue of our own index. */
export function createIndexQueue(from: Queueing & Indexing): IndexQueue {
  const { db, embedder } = from;
  return createQueue(from, {
    async begin() {
      await queueForgotten(db);
      // The operator may have chosen a model, or another one, since the last start.
      if (embedder) await queueForModel(db, embedder.model);
    },
    advance: (claim, signal) => advance(from, claim, signal),
  });
}

export function createQueue({ db, owner, log, timings }: Queueing, indexer: Indexer): IndexQueue {
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  /** The reading of a document that takes long, beside which others are read. */
  let slow: Promise<unknown> | null = null;
  /** Users whose document was taken in this round. */
  const served = new Set<string>();
  let hasNews = false;
  const timer = setInterval(wake, timings.indexEveryMs);
  const began = indexer.begin().catch(onFault);
  void began.then(wake);
  return { wake, close };

  function wake(): void {
    hasNews = true;
    if (closing.signal.aborted) return;
    running ??= work().finally(() => {
      running = null;
      if (hasNews) wake();
    });
  }

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      hasNews = false;
      const claim = await claimDocument(db, owner, { served, takesSlow: slow === null }).catch(onFault);
      if (!claim) return;
      if (served.has(claim.userId)) served.clear();
      served.add(claim.userId);
      const indexing = index(claim).catch(onFault);
      if (!claim.isSlow) await indexing;
      else
        slow = indexing.finally(() => {
          slow = null;
          wake();
        });
    }
  }

  async function index(claim: Claim): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([closing.signal, lost.signal]);
    const heartbeat = setInterval(() => {
      renewLease(db, claim).then((isOurs) => isOurs || lost.abort(new LostDocument()), onFault);
    }, RENEW_EVERY_MS);
    try {
      await indexer.advance(claim, signal);
    } catch (error) {
      if (lost.signal.aborted || isLoss(error)) return;
      if (closing.signal.aborted) await release(db, claim);
      else await postpone(claim, error);
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function postpone(claim: Claim, error: unknown): Promise<void> {
    const { fileId, userId, state, attempts } = claim;
    const isEmbedding = state === 'embedding';
    const reason = error instanceof Refusal ? error.reason.type : undefined;
    if (reason) warnOfFile(log, { fileId, userId, state, attempts, reason });
    else logError(log, error, { event: 'index.failed', userId });
    const isFinal = attempts >= ATTEMPTS_MAX || (isEmbedding && !isTransient(error));
    if (!isFinal) return retryLater(db, claim, timings.indexRetryMs * RETRY_FACTOR ** (attempts - 1));
    return complete(db, claim, isEmbedding ? { model: null } : { reason: 'error' });
  }

  function onFault(error: unknown): null {
    if (!closing.signal.aborted) logError(log, error, { event: 'task.failed' });
    return null;
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    closing.abort();
    await began;
    await running;
    await slow;
  }
}

/** Reads and embeds a document, from wherever an earlier process came to. */
async function advance(indexing: Indexing, claim: Claim, signal: AbortSignal): Promise<void> {
  if (claim.state === 'reading') {
    // It may have ended the processes that tried before.
    if (claim.attempts > ATTEMPTS_MAX) return complete(indexing.db, claim, { reason: 'error' });
    if (!(await readDocument(indexing, claim, signal))) return;
    Object.assign(claim, { state: 'embedding', attempts: 1 });
  }
  await embedDocument(indexing, claim, signal);
}

function isLoss(error: unknown): boolean {
  return error instanceof LostDocument || findPgCode(error) === FOREIGN_KEY_VIOLATION;
}

async function queueForModel({ sql }: Db, model: string): Promise<void> {
  await sql`
    update documents set state = 'embedding', attempts = 0, lease_until = null
    where state = 'ready' and model is distinct from ${model}`;
}

/** Documents that were indexed by a service which is no longer configured. */
async function queueForgotten({ sql }: Db): Promise<void> {
  await sql`
    update documents set state = 'queued', model = null, reason = null, attempts = 0, lease_until = null
    where model = ${RAG_MODEL}`;
}
