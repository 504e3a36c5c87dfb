// The documentation names files and functions: they are where it says.
import { readFileSync } from 'node:fs';
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
