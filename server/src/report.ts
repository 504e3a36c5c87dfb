import { pgCodeOf } from '@parley/db/client';
import type { Logger } from 'pino';
import { reasonOf } from './trpc.ts';

/**
 * One line for a fault of ours; refusals are no faults. The message of a database error holds the statement and its
 * values, so only its code is told.
 */
export function reportFault(log: Logger, error: Error, path: string | undefined): void {
  if (reasonOf(error) !== null) return;
  const cause = error.cause instanceof Error ? error.cause : error;
  const pgCode = pgCodeOf(cause);
  if (pgCode) log.error({ path, pgCode }, 'the database refused a statement');
  else log.error({ path, err: `${cause.name}: ${cause.message.slice(0, 300)}` }, 'a call failed');
}
