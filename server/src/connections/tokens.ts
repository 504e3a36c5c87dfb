// Tokens of people for other services, actions and tool servers alike: kept encrypted in `connections`, and renewed by
// one process at a time. Anyone who uses a refresh token twice is taken for a thief, and the person is signed out
// (RFC 9700, 4.14.2).
import { repeatNoMore, type Db, type Query, type Tx } from '@parley/db/client';
import { connections } from '@parley/db/tables/tools';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import type { Encryption, KeyOwner } from '../keys/encryption.ts';
import { createKeyedMutex, createSemaphore } from '../platform/semaphore.ts';

export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** Milliseconds since 1970; null when it is not known. */
  endsAt: number | null;
}

/** What a person is signed in to. */
export interface Connection {
  userId: string;
  /** As in `connections`. */
  service: string;
  /** Names the host, too: what is stored for another host is not there. */
  encryptedFor: KeyOwner;
  /** A `from` clause that has a row, which it locks, while the service exists: what comes later is for nobody. */
  whileThere?: SQL;
}

export interface ConnectionStore<Stored> {
  /** What is stored, also tokens at their end; null when there is none, or when it is for another host. */
  read(connection: Connection): Promise<Stored | null>;
  write(connection: Connection, stored: Stored): Promise<void>;
}

export interface TokenStore<Stored extends Tokens> extends ConnectionStore<Stored> {
  /** Whether a token can be used: it is not the refused one, nor about to end. */
  isUsable(known: Stored, refused: string | null): boolean;
  /**
   * Usable tokens, for which `request` is called alone for this connection in all processes, unless another call has
   * renewed them meanwhile. Null when the person must sign in: `request` gives none, and what it was given is forgotten.
   */
  renew(connection: Connection, refused: string | null, request: Request<Stored>): Promise<Stored | null>;
}

type Request<Stored> = (known: Stored | null) => Promise<Stored | null>;

interface StoreDeps<Stored> {
  db: Db;
  encryption: Encryption;
  schema: z.ZodType<Stored>;
}

/** Each renewal holds a connection to the database while it waits for a foreign server. */
const RENEWALS_AT_ONCE = 2;

/** @param earlyMs a token is not used so shortly before its end */
export function createTokenStore<Stored extends Tokens>(
  deps: StoreDeps<Stored> & { earlyMs: number },
): TokenStore<Stored> {
  const rows = createEncryptedRows(deps);
  const exclusively = createRenewalLock(deps.db);
  const isUsable = ({ accessToken, endsAt }: Stored, refused: string | null) =>
    accessToken !== refused && (endsAt === null || endsAt - deps.earlyMs > Date.now());
  return {
    ...createConnectionStore(deps),
    isUsable,
    renew: (connection, refused, request) =>
      exclusively(connection, async (tx) => {
        // Until the end of the renewal nobody replaces them: a new sign-in comes after it.
        const encrypted = await rows.find(tx, connection).for('update');
        const known = rows.decrypt(connection, encrypted);
        if (known && isUsable(known, refused)) return known;
        repeatNoMore(tx);
        const fresh = await request(known);
        if (fresh) await rows.put(tx, connection, fresh);
        // Where there were none, those that are there now are of a sign-in that has just ended.
        else if (encrypted.length > 0) await forgetConnection(tx, connection);
        return fresh;
      }),
  };
}

export function createConnectionStore<Stored extends object>(deps: StoreDeps<Stored>): ConnectionStore<Stored> {
  const { query } = deps.db;
  const rows = createEncryptedRows(deps);
  return {
    read: async (connection) => rows.decrypt(connection, await rows.find(query, connection)),
    write: (connection, stored) => rows.put(query, connection, stored),
  };
}

export async function forgetConnection(query: Query, connection: Pick<Connection, 'userId' | 'service'>) {
  await query.delete(connections).where(ofConnection(connection));
}

function ofConnection({ userId, service }: Pick<Connection, 'userId' | 'service'>) {
  return and(eq(connections.userId, userId), eq(connections.service, service));
}

function createEncryptedRows<Stored extends object>({ encryption, schema }: StoreDeps<Stored>) {
  return {
    find: (query: Query, connection: Connection) =>
      query.select({ encrypted: connections.encrypted }).from(connections).where(ofConnection(connection)),
    decrypt({ encryptedFor }: Connection, [row]: { encrypted: string }[]): Stored | null {
      const text = row ? encryption.decrypt(row.encrypted, encryptedFor) : null;
      return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null);
    },
    async put(query: Query, { userId, service, encryptedFor, whileThere }: Connection, stored: Stored): Promise<void> {
      const endsAt = 'endsAt' in stored && typeof stored.endsAt === 'number' ? new Date(stored.endsAt) : null;
      const values = {
        encrypted: encryption.encrypt(JSON.stringify(stored), encryptedFor),
        expiresAt: endsAt && endsAt.toISOString(),
        updatedAt: sql`now()`,
      };
      const row = sql`select ${userId}::uuid, ${service}::text, ${values.encrypted}::text,
        ${values.expiresAt}::timestamptz, ${values.updatedAt} ${whileThere}`;
      await query
        .insert(connections)
        .select(row)
        .onConflictDoUpdate({ target: [connections.userId, connections.service], set: values });
    },
  };
}

/** Runs `work` in a transaction, alone in all processes for this person and service. */
function createRenewalLock({ query }: Db) {
  // Of a person one at a time, so that a slow service of theirs does not take the place of others.
  const lock = createKeyedMutex();
  const withPlace = createSemaphore(RENEWALS_AT_ONCE);
  return async <T>({ userId, service }: Connection, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const release = await lock(userId);
    try {
      return await withPlace(() =>
        query.transaction(async (tx) => {
          const key = `connection ${userId} ${service}`;
          await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
          return work(tx);
        }),
      );
    } finally {
      release();
    }
  };
}
