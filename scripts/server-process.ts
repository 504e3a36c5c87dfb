// Runs a complete Parley as its own process, for tests that kill or measure it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './build-stamps.mjs';

export interface ServerProcess {
  url: string;
  pid: number;
  /** Milliseconds from its start to its ready line. */
  readyAfter: number;
  /** Its output so far, on both streams. */
  said(): string;
  /** Whether it has ended, by our signal or by itself. */
  ended(): boolean;
  /** Sends a signal unless it has ended; resolves to its exit code, null after SIGKILL. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the built server with `env` and, of our own environment, only PATH and HOME; its working directory is `cwd`.
 * Throws its output when it ends before it is ready.
 */
export async function startServer(cwd: string, env: Record<string, string>): Promise<ServerProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], { cwd, env: { PATH, HOME, ...env } });
  let said = '';
  let hasEnded = false;
  // If the parent fails, the server shuts down in order, with its database.
  const endToo = () => child.kill('SIGTERM');
  process.once('exit', endToo);
  const gone = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      hasEnded = true;
      process.off('exit', endToo);
      resolve(code);
    }),
  );
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const ready = /ready on (\S+)/.exec(said)?.[1];
      if (ready) resolve(ready);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void gone.then((code) => reject(new Error(`The server ended with ${code}: ${said}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    readyAfter: performance.now() - began,
    said: () => said,
    ended: () => hasEnded,
    async end(signal) {
      if (!hasEnded) child.kill(signal);
      return gone;
    },
  };
}
