// The leases on documents: which process works on which file. An expired lease is the only sign of a process that died.
import type { Db } from '@parley/db/client';
import { documents } from '@parley/db/tables/documents';
import type { DocumentReason } from '@parley/schema/files/documents';
import { and, eq, sql } from 'drizzle-orm';
import { parseRow } from '../convos/changes.ts';
import type { DocumentRow } from './documents.ts';

/** In seconds. Long enough for a process that is busy for a moment. */
const LEASE_SECONDS = 30;
/** How often the lease is renewed, in milliseconds. */
export const RENEW_EVERY_MS = 10_000;

/** Stands in the place of a model on documents that the service at RAG_API_URL has. */
export const RAG_MODEL = 'rag-api';

/** The document and the process that works on it. */
export interface Claim extends Pick<DocumentRow, 'userId' | 'fileId' | 'state' | 'attempts'> {
  owner: string;
  /** The first, short time was not enough to read it. */
  isSlow: boolean;
}

/** Whose turn it is. */
export interface Turns {
  /** Users who had theirs: others come first. */
  served: ReadonlySet<string>;
  /** Whether one that takes long may be taken, behind all others. */
  takesSlow: boolean;
}

/** Takes the oldest document that nobody works on and whose user is next; null when there is none. */
export async function claimDocument({ query }: Db, owner: string, turns: Turns): Promise<Claim | null> {
  const [found] = await query.execute<{ claimed: Record<string, unknown> }>(sql`
    update documents set owner = ${owner}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS}),
      attempts = attempts + 1, state = case when state = 'queued' then 'reading' else state end
    where (user_id, file_id) in (
      select user_id, file_id from documents
      where state in ('queued', 'reading', 'embedding') and (lease_until is null or lease_until < now())
        and (${turns.takesSlow} or reason is distinct from 'timed_out')
      order by reason is not distinct from 'timed_out', user_id = any(${sql.param([...turns.served])}::uuid[]), created_at
      limit 1 for update skip locked
    )
    returning to_json(documents) as claimed`);
  if (!found) return null;
  const row = parseRow<DocumentRow>(documents, found.claimed);
  return { ...row, owner, isSlow: row.reason === 'timed_out' };
}

/** False when the document is gone or another process has taken it over. */
export async function renewLease({ query }: Db, claim: Claim): Promise<boolean> {
  const renewed = await query
    .update(documents)
    .set({ leaseUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})` })
    .where(isOurs(claim))
    .returning({ fileId: documents.fileId });
  return renewed.length > 0;
}

/** Gives the document back: the next process may take it in `restMs`, this attempt counts. */
export async function retryLater({ query }: Db, claim: Claim, restMs: number): Promise<void> {
  const leaseUntil = sql`now() + make_interval(secs => ${restMs / 1000})`;
  await query.update(documents).set({ owner: null, leaseUntil }).where(isOurs(claim));
}

/** Gives back a document that takes long to read: it is read for as long as it takes, behind all others. */
export async function queueAsSlow({ query }: Db, claim: Claim): Promise<void> {
  await query
    .update(documents)
    .set({ state: 'queued', reason: 'timed_out', owner: null, leaseUntil: null, attempts: 0 })
    .where(isOurs(claim));
}

/** Gives the document back at a shutdown, as if it had not been taken. */
export async function release({ query }: Db, claim: Claim): Promise<void> {
  const attempts = sql`greatest(${documents.attempts} - 1, 0)`;
  await query.update(documents).set({ owner: null, leaseUntil: null, attempts }).where(isOurs(claim));
}

/** Ends the work on a document: it has failed for `reason`, or is found by its words and, with a model, its vectors. */
export async function complete(
  { query }: Db,
  claim: Claim,
  end: { reason: DocumentReason; model?: string; pages?: number } | { model: string | null },
): Promise<void> {
  const state = 'reason' in end ? ('failed' as const) : ('ready' as const);
  await query
    .update(documents)
    .set({ state, ...end, owner: null, leaseUntil: null, attempts: 0 })
    .where(isOurs(claim));
}

export function isOurs({ userId, fileId, owner }: Claim) {
  return and(eq(documents.userId, userId), eq(documents.fileId, fileId), eq(documents.owner, owner));
}
