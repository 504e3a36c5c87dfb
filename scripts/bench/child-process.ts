// Runs a part of a bench in its own process, so that it is not measured with the rest: functions called over IPC.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Calls = Record<string, (...args: never[]) => unknown>;

/** The helper's functions as its parent calls them. */
export type Remote<C extends Calls> = {
  [K in keyof C]: (...args: Parameters<C[K]>) => Promise<Awaited<ReturnType<C[K]>>>;
} & { pid: number; end(): Promise<void> };

interface WorkerResult {
  id: number;
  value?: unknown;
  error?: string;
}

/** Starts `file` (a path beside this one) as a helper. */
export function startHelper<C extends Calls>(file: string): Remote<C> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(path, { execArgv: ['--import', 'tsx'], env, serialization: 'advanced' });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  child.on('message', ({ id, value, error }: WorkerResult) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(new Error(error));
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void gone.then(() => waiting.forEach(({ reject }) => reject(new Error(`${file} has ended`))));
  const own = {
    pid: child.pid ?? 0,
    async end() {
      child.kill('SIGTERM');
      await gone;
    },
  };
  const call = (name: string, args: unknown[]) =>
    new Promise((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject });
      child.send({ id: lastId, name, args });
    });
  // Any other name is a function of the helper.
  return new Proxy(own, {
    get: (target, name) => Reflect.get(target, name) ?? ((...args: unknown[]) => call(String(name), args)),
  }) as Remote<C>;
}

/** The helper's side: answers calls until it is stopped or its parent has ended. */
export function serveHelper(calls: Calls): void {
  process.once('disconnect', () => process.exit());
  process.on('message', ({ id, name, args }: { id: number; name: string; args: never[] }) => {
    const result = (rest: Omit<WorkerResult, 'id'>) => process.send?.({ id, ...rest });
    Promise.resolve()
      .then(() => calls[name]?.(...args))
      .then((value) => result({ value }))
      .catch((error: unknown) => result({ error: error instanceof Error ? (error.stack ?? error.message) : 'failed' }));
  });
}
