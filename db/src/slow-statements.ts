// Times statements, for an operator who asks what is slow. Values stay out of it.
import type postgres from 'postgres';

/** Gets the text of a statement, and the milliseconds from its call to its result: a wait for a connection counts. */
export type OnSlow = (statement: string, ms: number) => void;

const SLOW_MS = 200;

/** Times what drizzle sends. */
export function timeStatements<T extends postgres.ISql>(client: T, onSlow: OnSlow): T {
  const unsafe = client.unsafe.bind(client);
  client.unsafe = (text, values, options) => timed(unsafe(text, values, options), text, onSlow);
  return client;
}

/** Times what is written as a template; in its text a value is `?`. */
export function timeTemplates<T extends postgres.Sql<{ bigint: number }>>(client: T, onSlow: OnSlow): T {
  return new Proxy(client, {
    apply(sql, self, [strings, ...values]: [readonly string[], ...unknown[]]) {
      const query: unknown = Reflect.apply(sql, self, [strings, ...values]);
      return query instanceof Promise ? timed(query, strings.join('?'), onSlow) : query;
    },
  });
}

/** Listens as a plain promise would: the driver sends a statement only when its own `then` is called. */
function timed<T extends Promise<unknown>>(query: T, statement: string, onSlow: OnSlow): T {
  const began = performance.now();
  const end = () => {
    const ms = Math.round(performance.now() - began);
    if (ms >= SLOW_MS) onSlow(statement, ms);
  };
  void Promise.prototype.then.call(query, end, end);
  return query;
}
