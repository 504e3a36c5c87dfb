// Tells the service at RAG_API_URL which files were deleted, until it has taken it: a queue in the database, so that
// neither an outage of the service nor the end of a process leaves it somebody's text.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { logError } from '../platform/log-error.ts';
import type { Timings } from '../config/timings.ts';
import type { RagApi } from './rag-api.ts';

interface Removal {
  userId: string;
  fileId: string;
  /** When it is tried again; another time once it was asked for anew. */
  retryAt: string;
}

const BATCH_FILES = 200;
/** After a failure a file rests for a retry time, then four times as long after each further one, at most an hour. */
const RETRY_FACTOR = 4;
const RETRY_MAX_MS = 60 * 60_000;

/** Looks for deleted files every so often. The returned function ends that, and waits for the call under way. */
export function forgetDeletedFiles(
  { db, api, log }: { db: Db; api: Pick<RagApi, 'remove'>; log: Logger },
  { indexEveryMs, indexRetryMs }: Pick<Timings, 'indexEveryMs' | 'indexRetryMs'>,
): () => Promise<void> {
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  const timer = setInterval(look, indexEveryMs);
  look();
  return close;

  function look(): void {
    running ??= forgetDue()
      .catch((error: unknown) => {
        if (!closing.signal.aborted) logError(log, error, { event: 'task.failed' });
      })
      .finally(() => (running = null));
  }

  async function forgetDue(): Promise<void> {
    for (let isMore = true; isMore && !closing.signal.aborted;) {
      const due = await claimRemovals(db, indexRetryMs);
      isMore = due.length === BATCH_FILES;
      for (const userId of new Set(due.map((removal) => removal.userId))) {
        await forget(
          userId,
          due.filter((removal) => removal.userId === userId),
        );
      }
    }
  }

  async function forget(userId: string, removals: Removal[]): Promise<void> {
    const fileIds = removals.map(({ fileId }) => fileId);
    try {
      await api.remove(userId, fileIds, closing.signal);
    } catch (error) {
      if (!closing.signal.aborted) logError(log, error, { event: 'index.failed', userId });
      return;
    }
    // A file that arrived meanwhile is asked to be forgotten once more: that stays.
    await db.sql`
      delete from rag_removals r
      using unnest(${fileIds}::uuid[], ${removals.map(({ retryAt }) => retryAt)}::text[]) as done (file_id, retry_at)
      where r.user_id = ${userId} and r.file_id = done.file_id and r.retry_at = done.retry_at::timestamptz`;
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    closing.abort();
    await running;
  }
}

/** Takes what is due and lets it rest, so that no other process takes it meanwhile. */
function claimRemovals({ sql }: Db, retryMs: number): Promise<Removal[]> {
  return sql<Removal[]>`
    update rag_removals set attempts = attempts + 1,
      retry_at = now() + least(${RETRY_MAX_MS}, ${retryMs} * ${RETRY_FACTOR} ^ least(attempts, 20)) * interval '1 ms'
    where (user_id, file_id) in (
      select user_id, file_id from rag_removals where retry_at <= now()
      order by retry_at limit ${BATCH_FILES} for update skip locked
    )
    returning user_id as "userId", file_id as "fileId", retry_at::text as "retryAt"`;
}
