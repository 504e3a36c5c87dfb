// Faults of the database or its disk that pass by themselves or by the operator's hand: clients get that reason, not
// an internal error.
import { findPgCode } from '@parley/db/client';
import type { Reason } from '@parley/schema/reasons';

/** PostgreSQL's "disk_full". */
const DISK_FULL = '53100';
/** Disk full, or quota exceeded. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);
/**
 * PostgreSQL ends the connection: it is shut down, has crashed, or is not ready yet. Or it takes no writes: a standby, to
 * which a connection may lead while another becomes the primary.
 */
const GOING_OR_COMING = new Set(['57P01', '57P02', '57P03', '25006']);
/** The driver's own codes for a connection that was not opened or broke. */
const DRIVER_CODES = new Set(['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT']);
/** Codes of the operating system for the same; elsewhere they may be about another server. */
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);

/** The reason for the client; null for any other error. */
export function reasonOfDatabase(error: unknown): Extract<Reason, { type: 'storage_full' | 'unavailable' }> | null {
  if (isStorageFull(error)) return { type: 'storage_full' };
  return isUnavailable(error) ? { type: 'unavailable' } : null;
}

/** Whether an error means a full disk: the database's or this process's. */
export function isStorageFull(error: unknown): boolean {
  return findPgCode(error) === DISK_FULL || chainOf(error).some((one) => NO_ROOM.has(codeOf(one)));
}

/** Whether the database cannot be reached or has no memory or connections left (classes 08 and 53). */
function isUnavailable(error: unknown): boolean {
  const code = findPgCode(error);
  if (code) return code.startsWith('08') || code.startsWith('53') || GOING_OR_COMING.has(code);
  const chain = chainOf(error);
  if (chain.some((one) => DRIVER_CODES.has(codeOf(one)))) return true;
  // The driver and drizzle put the statement beside the fault of its connection.
  const isOfQuery = chain.some((one) => 'query' in one);
  return isOfQuery && chain.some((one) => SOCKET_CODES.has(codeOf(one)));
}

function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error; at = at.cause) chain.push(at);
  return chain;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
