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
