// PostgreSQL's own error behind those of drizzle and of others.
import postgres from 'postgres';

/** PostgreSQL's five-character code behind an error, e.g. `23505` for a unique violation. */
export function findPgCode(error: unknown) {
  return findPostgresError(error)?.code;
}

/** Finds the server's error: drizzle wraps it in one whose message holds the whole statement and its values. */
export function findPostgresError(error: unknown): postgres.PostgresError | undefined {
  if (error instanceof postgres.PostgresError) return error;
  return error instanceof Error && error.cause ? findPostgresError(error.cause) : undefined;
}
