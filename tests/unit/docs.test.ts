// The documentation names files and functions: they are where it says.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const table = readFileSync(join(root, 'docs/find-your-way.md'), 'utf8');
const rows = [...table.matchAll(/^\| (.+?) +\| `(.+?)` +\| `(.+?)` +\| `(.+?)` +\|$/gm)].map(([, ...row]) => row);

it('the table of docs/find-your-way.md is read whole', () => {
  expect(rows).toHaveLength(table.split('\n').filter((line) => /^\| (?!question|-)/.test(line)).length);
});

it.each(rows)('%s: %s/%s has %s', (_question, folder = '', file = '', name = '') => {
  expect(readFileSync(join(root, folder, file), 'utf8')).toMatch(new RegExp(`\\b${name}\\b`));
});

const streaming = readFileSync(join(root, 'docs/streaming.md'), 'utf8');
const constants = [...streaming.matchAll(/^\| (.+?) +\| .+ \| `(.+?)` +\|$/gm)].flatMap(([, names = '', file = '']) =>
  [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, file.startsWith('web/') ? file : `server/src/${file}`]),
);

it('the constants of docs/streaming.md are found', () => {
  expect(constants.length).toBeGreaterThan(40);
});

it.each(constants)('docs/streaming.md: the constant %s is in %s', (name = '', file = '') => {
  expect(readFileSync(join(root, file), 'utf8')).toMatch(new RegExp(`\\b${name}\\b`));
});

const shared = readFileSync(join(root, 'docs/shared-between-users.md'), 'utf8');
const places = [...shared.matchAll(/`([\w/-]+\.m?ts|[\w/-]+\.mjs)`/g)].flatMap(([, place = '']) => place);
const proofs = [...shared.matchAll(/\| `([\w/.-]+\.test\.ts)`: (.+?) +\|$/gm)].map(([, file = '', title = '']) => [
  file,
  title,
]);
/** A variable of a module whose value changes. */
const VARIABLE =
  /^(?:let \w+|(?:export )?const \w+(?:: [^=]+)? = (?:new (?:Map|WeakMap|Set)(?:<.*>)?\(\)|create(?:Semaphore|KeyedMutex|FairQueue)\())/m;

it('the files and tests of docs/shared-between-users.md are found', () => {
  const folders = ['server/src', 'tests'];
  const isThere = (place: string) => folders.some((folder) => existsSync(join(root, folder, place)));
  expect(places.filter((place) => !isThere(place))).toEqual([]);
  expect(proofs.length).toBeGreaterThan(15);
  expect(
    proofs.filter(([file = '', title = '']) => !readFileSync(join(root, 'tests', file), 'utf8').includes(title)),
  ).toEqual([]);
});

it('every module of the server whose variables change is in docs/shared-between-users.md', () => {
  const files = readdirSync(join(root, 'server/src'), { recursive: true, encoding: 'utf8' });
  const changing = files
    .filter((file) => /\.(?:ts|mjs)$/.test(file))
    .filter((file) => VARIABLE.test(readFileSync(join(root, 'server/src', file), 'utf8')));
  expect(changing.length).toBeGreaterThan(10);
  expect(changing.filter((file) => !places.includes(file))).toEqual([]);
});

const operate = readFileSync(join(root, 'docs/operate.md'), 'utf8');

/** The rows of the table under a heading of docs/operate.md, without those above its line. */
function rowsUnder(heading: string): string[][] {
  const section = operate.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}

function named(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => name);
}

it('docs/operate.md has each event that the server logs, and no other', () => {
  const files = readdirSync(join(root, 'server/src'), { recursive: true, encoding: 'utf8' });
  const events = files
    // What administrators change is in the database, not in the log.
    .filter((file) => file.endsWith('.ts') && !file.startsWith('admin/'))
    .flatMap((file) => {
      const source = readFileSync(join(root, 'server/src', file), 'utf8');
      const pattern = file === 'platform/log-error.ts' ? /()'([a-z_]+\.[a-z_]+)'/g : /\b(event): '([a-z_]+\.[a-z_]+)'/g;
      return [...source.matchAll(pattern)].flatMap(([, , event = '']) => event);
    });
  const told = rowsUnder('The log').flatMap(([, name]) => named(name));
  expect(told.toSorted()).toEqual([...new Set(events)].toSorted());
});

it('docs/operate.md has each metric with its labels, and no other', () => {
  const source = readFileSync(join(root, 'server/src/platform/metrics.ts'), 'utf8');
  const metrics = [...source.matchAll(/new (\w+?)(?:Of)?\(\{\s+name: '(\w+)',([^}]*?)(?:registers|\})/g)].map(
    ([, kind = '', name = '', rest = '']) => [
      name,
      kind.toLowerCase(),
      ...[...(/labelNames: \[(.*)\]/.exec(rest)?.[1]?.matchAll(/'(\w+)'/g) ?? [])].flatMap(([, label = '']) => label),
    ],
  );
  expect(metrics).toHaveLength([...source.matchAll(/'parley_\w+'/g)].length);
  const told = rowsUnder('Metrics').map(([, name, kind = '', labels]) => [...named(name), kind, ...named(labels)]);
  expect(told.toSorted()).toEqual(metrics.toSorted());
});

it('docs/operate.md has the limits with their defaults', () => {
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  const limits = rowsUnder('Limits').map(([, name, value]) => [...named(name), ...named(value)].join('='));
  expect(limits.length).toBeGreaterThan(25);
  expect(limits.filter((limit) => !example.includes(`\n# ${limit}\n`))).toEqual([]);
  const bounds = [
    ...example.matchAll(/^# ((?:LOGIN|REGISTER|RESET|CONCURRENT|MESSAGE|FILE_UPLOAD)\w*_(?:MAX|WINDOW)=.+)$/gm),
  ];
  expect(bounds.flatMap(([, bound = '']) => bound).filter((bound) => !limits.includes(bound))).toEqual([]);
});

it.each(['README.md', 'CONTRIBUTING.md', 'docs/operate.md', 'docs/configure.md'])(
  '%s names only commands that exist',
  (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    const commands = readFileSync(join(root, 'server/src/commands.ts'), 'utf8');
    const compose = readFileSync(join(root, 'compose.yaml'), 'utf8');
    const names = (pattern: RegExp) => [...text.matchAll(pattern)].flatMap(([, name = '']) => name);
    const npm = [...names(/\bnpm run (?:--silent )?([\w:-]+)/g), ...names(/\bnpm (start|test)\b/g)];
    expect(npm.length).toBeGreaterThan(0);
    expect(npm.filter((name) => !(name in scripts))).toEqual([]);
    const inImage = names(/\bcommands\.js ([\w-]+)/g);
    expect(inImage.filter((name) => !new RegExp(`^  '?${name}'?: async`, 'm').test(commands))).toEqual([]);
    const profiles = names(/--profile (\w+)/g);
    expect(profiles.filter((name) => !compose.includes(`profiles: [${name}]`))).toEqual([]);
  },
);

it('README.md has at most 900 words', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split(/\s+/).length).toBeLessThanOrEqual(900);
});

it('every page of docs/decisions is in its list', () => {
  const folder = join(root, 'docs/decisions');
  const list = readFileSync(join(folder, 'README.md'), 'utf8');
  const pages = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(pages.filter((name) => !list.includes(`](${name})`))).toEqual([]);
});
