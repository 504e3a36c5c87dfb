import { AsyncLocalStorage } from 'node:async_hooks';
import { PostgresJsSession } from 'drizzle-orm/postgres-js';
import { vi } from 'vitest';

const sent = new AsyncLocalStorage<string[]>();

/** The statements of `run` and of what it begins, until it resolves; not those that the server sends meanwhile for itself. */
export async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const { prepareQuery } = PostgresJsSession.prototype;
  const spy = vi.spyOn(PostgresJsSession.prototype, 'prepareQuery').mockImplementation(function (this: never, ...args) {
    sent.getStore()?.push(args[0].sql);
    return prepareQuery.apply(this, args);
  });
  const statements: string[] = [];
  try {
    await sent.run(statements, run);
  } finally {
    spy.mockRestore();
  }
  return statements;
}
