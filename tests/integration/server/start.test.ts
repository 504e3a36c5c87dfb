// The server as an operator meets it: a process, its output, its exit code.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyTemplate } from '../../support/database.ts';
import { createFolder } from '../../support/folders.ts';
import { isFullRun } from '../../support/extent.ts';

beforeAll(() => build(), 120_000);

describe('a start', () => {
  it('reports its address in one line, answers there, and ends in order at SIGTERM', async () => {
    const server = start({ DATA_DIR: createFolder() });
    const url = await server.ready();
    expect(await (await fetch(`${url}/health`)).text()).toBe('OK');
    expect((await fetch(`${url}/c/new`)).status).toBe(200);
    expect(server.output().trim().split('\n')).toHaveLength(1);
    expect(await server.end('SIGTERM')).toBe(0);
  });
});

// Each of these has a database cluster of its own, which takes the machine longer than everything else here.
if (isFullRun)
  describe('on an embedded database', () => {
    it('ends in order when Ctrl-C is pressed twice', async () => {
      const folder = createFolder();
      const server = start({ DATA_DIR: folder });
      await server.ready();
      server.child.kill('SIGINT');
      expect(await server.end('SIGINT')).toBe(0);
      expect(existsSync(join(folder, 'postgres/postmaster.pid'))).toBe(false);
    });

    it('twice on one folder keeps its secrets private to its owner', async () => {
      const folder = createFolder();
      for (const _ of ['first', 'second']) {
        const server = start({ DATA_DIR: folder });
        await server.ready();
        expect(await server.end('SIGTERM')).toBe(0);
      }
      expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    });

    it('of three processes on one database at once succeeds', async () => {
      const env = { DATA_DIR: createFolder() };
      const servers = [start(env), start(env), start(env)];
      await Promise.all(servers.map((server) => server.ready()));
      expect(await Promise.all(servers.map((server) => server.end('SIGTERM')))).toEqual([0, 0, 0]);
    });
  });

describe('an error that nothing handles', () => {
  it.each(['throw new Error(text)', 'Promise.reject(new Error(text))'])(
    'is a line in the log, and ends the server in order: %s',
    async (work) => {
      const fault = `const text = 'unforeseen'; process.on('SIGUSR2', () => { ${work} });`;
      const preload = `--import=data:text/javascript,${encodeURIComponent(fault)}`;
      const server = start({ ...(await database()), DATA_DIR: createFolder(), NODE_OPTIONS: preload });
      const url = await server.ready();
      expect((await fetch(`${url}/health`)).status).toBe(200);
      expect(await server.end('SIGUSR2')).toBe(1);
      expect(server.output()).toMatch(/server\.failed.*unforeseen/);
      expect(server.output()).toContain('server.stopped');
    },
  );
});

describe('a shutdown that hangs', () => {
  /** The HTTP server never says that it has closed. */
  const hang = `import('node:http').then(({ Server }) => (Server.prototype.close = () => {}))`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hang)}`;

  it('leaves the step that hangs, and ends in order', async () => {
    const server = start({ ...(await database()), DATA_DIR: createFolder(), NODE_OPTIONS });
    await server.ready();
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.output()).toMatch(/server\.step_left.*HTTP/);
    expect(server.output()).toContain('server.stopped');
  });

  it('ends at once at a second signal', async () => {
    const server = start({ ...(await database()), DATA_DIR: createFolder(), NODE_OPTIONS });
    await server.ready();
    server.child.kill('SIGTERM');
    // Two signals within a second are one: npm repeats Ctrl-C.
    await sleep(1200);
    expect(await server.end('SIGTERM')).toBe(1);
    expect(server.output()).toContain('A second signal came: the process ends at once');
    expect(server.output()).not.toContain('server.stopped');
  });
});

describe('a failing start', () => {
  it('names the port that is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const server = start({ ...(await database()), DATA_DIR: createFolder(), PORT: String(port) });
    expect(await server.failed()).toBe(
      `Port ${port} is in use: stop what listens there, or set PORT to another one.\n`,
    );
    taken.close();
  });

  it('names an unreachable database without its password', async () => {
    const server = start({ DATA_DIR: createFolder(), DATABASE_URL: 'postgres://parley:secret@127.0.0.1:1/parley' });
    const sentence = await server.failed();
    expect(sentence).toMatch(/^The database at 127\.0\.0\.1:1\/parley cannot be reached: .*\.\n$/);
    expect(sentence).not.toContain('secret');
  });

  it('names an invalid setting, and creates nothing', async () => {
    const folder = join(createFolder(), 'data');
    const server = start({ DATA_DIR: folder, PORT: 'eighty' });
    expect(await server.failed()).toMatch(/^PORT .*eighty.*\n$/);
    expect(existsSync(folder)).toBe(false);
  });

  it('refuses a database that belongs to other secrets', async () => {
    const env = { ...(await database()), DATA_DIR: createFolder() };
    const first = start(env);
    await first.ready();
    await first.end('SIGTERM');
    const second = start({ ...env, JWT_SECRET: 'another secret of some length' });
    expect(await second.failed()).toMatch(/^The database belongs to a server with other secrets.*\n$/);
  });
});

/** Of the run's server, for tests that are not about the server's own cluster. */
async function database() {
  const { connection, drop } = await copyTemplate();
  onTestFinished(async () => void (await drop()));
  return { PGHOST: connection.folder, PGUSER: connection.user, DATABASE_URL: `postgres:///${connection.database}` };
}

function start(env: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const cwd = createFolder();
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], {
    cwd,
    env: { PATH, HOME, PORT: '0', OLLAMA_URL: 'off', ...env },
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    child,
    output: () => output.out,
    ready: () => readyUrl(child, output),
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      return exit;
    },
    /** What a failed start prints; it must have failed. */
    async failed() {
      expect(await exit).toBe(1);
      expect(output.out).toBe('');
      return output.err;
    },
  };
}

async function readyUrl(child: ChildProcessWithoutNullStreams, output: { out: string; err: string }): Promise<string> {
  // No poll with a limit: a busy machine takes its time to create a cluster. The test's own limit ends what hangs.
  await new Promise<void>((resolve) => {
    const look = () => output.out.includes('ready') && resolve();
    child.stdout.on('data', look);
    child.once('exit', () => resolve());
    look();
  });
  const url = /ready on (\S+)/.exec(output.out)?.[1];
  if (!url) throw new Error(`The server did not start: ${output.out}${output.err}`);
  return url;
}
