import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hashInputs, isFresh, stamp } from '../../../scripts/build-stamps.mjs';
import { createFolder } from '../../support/folders.ts';

describe('the entry point of every command', () => {
  test('names the required Node version before anything else', async () => {
    const root = createCheckout();
    write(root, 'old.cjs', `Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } });`);
    const result = await run(root, ['--require', './old.cjs', 'scripts/install.mjs', 'hello']);
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Parley needs Node 20.19 or newer; this is Node 18.20.4.\n',
    });
  });

  test('installs a fresh checkout once, and passes on arguments and exit code', async () => {
    const root = createCheckout();
    const first = await run(root, ['scripts/install.mjs', 'hello', 'a', '--b']);
    expect(first).toEqual({
      code: 3,
      stdout: 'Installing packages; this takes about a minute, once.\nhello ["a","--b"]\n',
      stderr: '',
    });
    const second = await run(root, ['scripts/install.mjs', 'hello']);
    expect(second.stdout).toBe('hello []\n');
  });

  test('installs the packages of the tests when tests are run, beside what is there', async () => {
    const root = createCheckout();
    addPackage(root, 'tests');
    write(root, 'scripts/test.mjs', `console.log('tested');`);
    await run(root, ['scripts/install.mjs', 'hello']);
    expect(['first', 'tests'].map((name) => existsSync(join(root, 'node_modules', name)))).toEqual([true, false]);
    write(root, 'node_modules/.kept', '');
    const first = await run(root, ['scripts/install.mjs', 'test']);
    expect(first.stdout).toBe('Installing packages; this takes about a minute, once.\ntested\n');
    expect(['first', 'tests', '.kept'].map((name) => existsSync(join(root, 'node_modules', name)))).toEqual([
      true,
      true,
      true,
    ]);
    expect((await run(root, ['scripts/install.mjs', 'test'])).stdout).toBe('tested\n');
    expect((await run(root, ['scripts/install.mjs', 'hello'])).stdout).toBe('hello []\n');
  });

  test('installs a changed lock file again', async () => {
    const root = createCheckout();
    await run(root, ['scripts/install.mjs', 'hello']);
    addPackage(root, 'second');
    expect((await run(root, ['scripts/install.mjs', 'hello'])).stdout).toMatch(/^Installing packages/);
    expect((await run(root, ['scripts/install.mjs', 'hello'])).stdout).toBe('hello []\n');
  });

  test('leaves packages installed by hand alone', async () => {
    const root = createCheckout();
    await run(root, ['scripts/install.mjs', 'hello']);
    rmSync(join(root, 'node_modules/.parley-install'));
    expect((await run(root, ['scripts/install.mjs', 'hello'])).stdout).toBe('hello []\n');
  });

  test('changes the installed driver of the database, once', async () => {
    const root = createCheckout();
    const driver = join(root, 'node_modules/postgres/src/connection.js');
    await run(root, ['scripts/install.mjs', 'hello']);
    // The other form of the package, which nothing uses, is as it was published.
    const published = readFileSync(join(scripts, '../node_modules/postgres/cjs/src/connection.js'), 'utf8');
    write(root, 'node_modules/postgres/src/connection.js', published);
    for (const attempt of [1, 2]) {
      expect([attempt, (await run(root, ['scripts/install.mjs', 'hello'])).code]).toEqual([attempt, 3]);
      const changed = readFileSync(driver, 'utf8').split('return fetchArrayTypes().catch(() => {})');
      expect([attempt, changed.length]).toEqual([attempt, 2]);
    }
    write(root, 'node_modules/postgres/src/connection.js', 'another release');
    const { code, stderr } = await run(root, ['scripts/install.mjs', 'hello']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('postgres.js has changed')]);
  });

  test('answers an unknown command with one sentence', async () => {
    const root = createCheckout();
    const { code, stderr } = await run(root, ['scripts/install.mjs', 'nonsense']);
    expect([code, stderr]).toEqual([1, 'There is no command "nonsense".\n']);
  });

  test('answers a failed installation with one sentence, and the next run installs again', async () => {
    const root = createCheckout();
    rmSync(join(root, 'first'), { recursive: true });
    write(root, 'package.json', '{ "name": "checkout", "dependencies": { "absent": "file:./absent.tgz" } }');
    for (const attempt of [1, 2]) {
      const { code, stderr } = await run(root, ['scripts/install.mjs', 'hello']);
      expect([attempt, code]).toEqual([attempt, 1]);
      expect(stderr).toMatch(/The packages could not be installed; `npm ci` says why\.\n$/);
    }
  });
});

describe('the build', () => {
  test('is fresh until a source changes, is added or is removed', () => {
    const root = createFolder();
    write(root, 'server/src/main.ts', 'one');
    const built = () => {
      mkdirSync(join(root, 'server/dist'), { recursive: true });
      stamp(join(root, 'server/dist'), hashInputs('server', root));
    };
    expect(isFresh('server', root)).toBe(false);
    built();
    expect(isFresh('server', root)).toBe(true);
    write(root, 'server/src/main.ts', 'two');
    expect(isFresh('server', root)).toBe(false);
    built();
    write(root, 'schema/src/ids.ts', '');
    expect(isFresh('server', root)).toBe(false);
    built();
    rmSync(join(root, 'schema/src/ids.ts'));
    expect(isFresh('server', root)).toBe(false);
  });

  test('does not depend on other files', () => {
    const root = createFolder();
    write(root, 'web/src/main.tsx', 'one');
    const before = hashInputs('web', root);
    write(root, 'web/dist/index.html', 'built');
    write(root, 'web/node_modules/some/index.js', 'installed');
    write(root, 'server/src/main.ts', 'the other half');
    expect(hashInputs('web', root)).toBe(before);
  });
});

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url));

/** A repository small enough to be installed without a network: one workspace, one command that ends with code 3. */
function createCheckout() {
  const root = createFolder();
  for (const part of ['install.mjs', 'usages.mjs', 'build'])
    cpSync(join(scripts, part), join(root, 'scripts', part), { recursive: true });
  write(root, 'scripts/hello.mjs', `console.log('hello', JSON.stringify(process.argv.slice(2))); process.exit(3);`);
  addPackage(root, 'first');
  return root;
}

function addPackage(root: string, name: string) {
  const workspaces = [...new Set(['first', name])];
  const links = workspaces.flatMap((folder) => [
    [folder, { version: '1.0.0' }],
    [`node_modules/${folder}`, { resolved: folder, link: true }],
  ]);
  const packages = Object.fromEntries([['', { name: 'checkout', workspaces }], ...links]);
  write(root, `${name}/package.json`, JSON.stringify({ name, version: '1.0.0' }));
  write(root, 'package.json', JSON.stringify({ name: 'checkout', workspaces }));
  write(root, 'package-lock.json', JSON.stringify({ name: 'checkout', lockfileVersion: 3, requires: true, packages }));
}

function write(root: string, path: string, content: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function run(cwd: string, args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, args, { cwd }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
