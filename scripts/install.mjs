// The entry point of every command: runs on a bare Node with nothing installed, installs when needed, then becomes the
// command. No process stands between npm and the command, so signals arrive where they are handled.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { patchPostgres } from './build/patch-postgres.mjs';
import { usageOf } from './usages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const commands = `${root}server/src/commands.ts`;
const bundle = `${root}server/dist/commands.js`;
const stamp = `${root}node_modules/.parley-install`;
/** The workspace that only `npm test` needs. */
const TESTS = 'tests';

const [command = 'start', ...args] = process.argv.slice(2);
const usage = usageOf(command, args);
if (usage) {
  console.log(usage);
  process.exit();
}
assertNode(20, 19);
/** The packages of the tests, too. */
const isWhole = command === 'test';
if (!isInstalled()) await install();
patchPostgres(root);
await become(command, args);

function assertNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  refuse(`Parley needs Node ${major}.${minor} or newer; this is Node ${process.versions.node}.`);
}

function isInstalled() {
  const wanted = lockHash();
  const have = readStamp();
  if (have === wanted || (!isWhole && have === `${wanted} product`)) return true;
  if (!isInstalledByHand()) return false;
  writeFileSync(stamp, wanted);
  return true;
}

function readStamp() {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex');
}

/** npm records what it installed, so an operator's own `npm ci` counts. */
function isInstalledByHand() {
  const note = `${root}node_modules/.package-lock.json`;
  if (!existsSync(note)) return false;
  const { packages: present } = JSON.parse(readFileSync(note, 'utf8'));
  const { packages: wanted } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
  return Object.entries(wanted).every(
    ([path, { optional, devOptional, version }]) =>
      optional ||
      devOptional ||
      !path.includes('node_modules/') ||
      (present[path] && present[path].version === version),
  );
}

/**
 * `--include=dev` because NODE_ENV=production would leave out what the build needs. Where the product is installed and
 * perhaps runs, the packages of the tests are added beside it; `npm ci` would begin by removing everything.
 */
async function install() {
  console.log('Installing packages; this takes about a minute, once.');
  const npm = process.env.npm_execpath ?? '';
  const [program, ...first] = npm.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm'];
  const isAdding = readStamp() === `${lockHash()} product`;
  const way = isAdding ? ['install', '--no-save'] : ['ci'];
  const { workspaces = [] } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const product = workspaces.filter((name) => name !== TESTS).flatMap((name) => ['--workspace', name]);
  const part = isWhole ? [] : ['--include-workspace-root', ...product];
  const args = [...first, ...way, ...part, '--no-audit', '--no-fund', '--include=dev', '--loglevel=error'];
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.killed || child.kill(signal));
  const code = await new Promise((resolve) => child.once('error', () => resolve(1)).once('exit', resolve));
  if (code !== 0) refuse('The packages could not be installed; `npm ci` says why.');
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  writeFileSync(stamp, isWhole ? lockHash() : `${lockHash()} product`);
}

/**
 * A plain script loads at once; the others need the TypeScript loader. What is no script is a command of the server, which
 * starts at once, too, where the server is built from these sources.
 */
async function become(command, args) {
  const script = ['mjs', 'ts'].map((ending) => `${root}scripts/${command}.${ending}`).find((path) => existsSync(path));
  if (!script && !existsSync(commands)) refuse(`There is no command "${command}".`);
  const program = script ?? ((await isBuilt()) ? bundle : commands);
  process.argv = [process.argv[0], program, ...(script ? [] : [command]), ...args];
  if (program.endsWith('.ts')) (await import('tsx/esm/api')).register();
  await import(pathToFileURL(program).href);
}

async function isBuilt() {
  const { isFresh } = await import('./build-stamps.mjs');
  return isFresh('server');
}

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
