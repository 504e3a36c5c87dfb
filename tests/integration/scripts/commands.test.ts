// What all commands of an operator have in common: help that opens nothing, and a word about what they wait for.
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { COMMANDS } from '@parley/server/commands';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createFolder } from '../../support/folders.ts';

/** Takes connections and says nothing, as a server behind a broken network. */
let silent: { url: string; connections: () => number; close: () => void };
const folder = createFolder();

beforeAll(async () => {
  await build();
  silent = await listenSilently();
}, 300_000);
afterAll(() => silent.close());

const BUNDLED = 'server/dist/commands.js';
const names = Object.keys(COMMANDS);
const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
/** What follows `install.mjs` in the commands of package.json. */
const ofNpm = Object.values(scripts.scripts).flatMap((line) => /install\.mjs (.*)/.exec(line)?.[1] ?? []);

test('every command of the server is a command of npm', () => {
  expect(names.filter((name) => !ofNpm.includes(name))).toEqual([]);
});

test.each(names)('%s prints its usage as a bundle and opens nothing', async (name) => {
  const before = silent.connections();
  const data = join(createFolder(), 'data');
  const { code, stdout, stderr } = await run([BUNDLED, name, '--help'], { DATABASE_URL: silent.url, DATA_DIR: data });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name} .*\\n\\S`));
  expect(silent.connections()).toBe(before);
  expect(existsSync(data)).toBe(false);
});

test.each(ofNpm)('npm run %s prints its usage and opens nothing', async (words) => {
  const before = silent.connections();
  const data = join(createFolder(), 'data');
  const environment = { DATABASE_URL: silent.url, DATA_DIR: data };
  const { code, stdout, stderr } = await run(['scripts/install.mjs', ...words.split(' '), '-h'], environment);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage: npm .*\n\S/);
  expect(silent.connections()).toBe(before);
  expect(existsSync(data)).toBe(false);
});

test('the help of all commands is printed without a name', async () => {
  const { code, stdout } = await run([BUNDLED, '--help'], {});
  expect(code).toBe(0);
  for (const name of names) expect(stdout).toContain(`Usage: npm run ${name} `);
});

/** Enough that each goes as far as its database; those that have none are left out. */
const ARGUMENTS: Record<string, string[] | null> = {
  'add-balance': ['alice@example.com'],
  user: ['list'],
  'reset-link': ['alice@example.com'],
  'import-librechat': [folder],
  'python-packages': null,
  backup: [join(folder, 'saved.zip')],
  restore: null,
};

test.each(names)('%s says which database it waits for when that is silent', async (name) => {
  expect(Object.keys(ARGUMENTS)).toContain(name);
  const args = ARGUMENTS[name];
  if (!args) return;
  const environment = { DATABASE_URL: silent.url, DATA_DIR: createFolder() };
  const { code, stdout, stderr } = await run([BUNDLED, name, ...args], environment);
  expect([code, stdout]).toEqual([1, '']);
  const { host } = new URL(silent.url);
  expect(stderr).toMatch(new RegExp(`^Waiting for the database at ${host}/parley \\(\\d+ s\\)$`, 'm'));
  expect(stderr).toContain(`The database at ${host}/parley cannot be reached: no answer within 5 seconds.\n`);
  expect(stderr).not.toContain('secret');
});

test('a command that waits for a password says so', async () => {
  const program = ['scripts/install.mjs', 'user', 'add', 'bob@example.com', 'Bob', '--password-stdin'];
  const { PATH = '', HOME = '' } = process.env;
  const { folder: host, user } = inject('database');
  const env = { PATH, HOME, PGHOST: host, PGUSER: user, DATABASE_URL: 'postgres:///parley_template', DATA_DIR: folder };
  const child = spawn(process.execPath, program, { cwd: root, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  await expect.poll(() => stderr).toMatch(/^Waiting for the password on the standard input \(\d+ s\)$/m);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
  expect(stderr).toMatch(/\nStopped by SIGTERM\. Look whether it is done before you run it again\.\n$/);
});

test('a command runs by a link to it, and by its name without the ending', async () => {
  const link = join(createFolder(), 'parley');
  symlinkSync(root, link);
  for (const program of [join(link, BUNDLED), join(root, 'server/dist/commands')]) {
    const { stderr } = await run([program, 'constructor'], {});
    expect(stderr).toContain('There is no command "constructor"');
  }
});

function run(args: string[], extra: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: root, env: { PATH, HOME, ...extra } }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

async function listenSilently() {
  let count = 0;
  const server: Server = createServer((socket) => {
    count += 1;
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `postgres://parley:secret@127.0.0.1:${port}/parley`,
    connections: () => count,
    close: () => void server.close(),
  };
}
