// Figures of the whole product that may fall and never rise: each limit is what holds today.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { namesInReach } from './names-in-scope.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = ['schema/src', 'db/src', 'server/src', 'web/src', 'web/shelf', 'scripts'].flatMap(filesIn);
const sources = files.filter((file) => /\.tsx?$/.test(file));
const gauges = sources.map((file) => gaugeOf(file, readFileSync(join(root, file), 'utf8')));

describe('in the whole product', () => {
  it.each([
    ['casts', 142],
    ['lint rules that are disabled at a place', 49],
    ['files that import 18 to 20 modules of ours', 55],
    ['folders of 18 to 20 files', 25],
  ] as const)('%s number at most %i', (name, most) => {
    const found = findings[name]();
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(most);
  });

  it('a function has at most 28 names in reach that it or a function around it binds', () => {
    expect(gauges.flatMap(({ names }) => names).filter(({ reach }) => reach > 28)).toEqual([]);
  });
});

const findings = {
  casts: () => gauges.flatMap(({ casts }) => casts),
  'lint rules that are disabled at a place': () => gauges.flatMap(({ disabled }) => disabled),
  'files that import 18 to 20 modules of ours': () =>
    gauges.filter(({ imports }) => imports >= 18).map(({ file, imports }) => `${file} ${imports}`),
  'folders of 18 to 20 files': () => {
    const counts = new Map<string, number>();
    for (const folder of files.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= 18).map(([folder, count]) => `${folder} ${count}`);
  },
};

interface Gauge {
  file: string;
  casts: string[];
  disabled: string[];
  /** How many files of ours it imports. */
  imports: number;
  names: { name: string; reach: number }[];
}

function gaugeOf(file: string, text: string): Gauge {
  const { program, module } = parseSync(file, text);
  const ours = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  return {
    file,
    casts: castsIn(program).map(([start, end]) => `${file}: ${text.slice(start, end)}`),
    disabled: [...text.matchAll(/oxlint-disable[^\n]*/g)].map(([comment]) => `${file}: ${comment}`),
    imports: new Set(ours.filter((name) => /^\.|^@parley\//.test(name) && !name.endsWith('.css'))).size,
    names: namesInReach(program).map(({ name, reach }) => ({ name: `${file} ${name}`, reach })),
  };
}

/** Where a value is given another type than it has; `as const` gives it none. */
function castsIn(program: unknown): [start: number, end: number][] {
  const found: [number, number][] = [];
  const open: unknown[] = [program];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null || node instanceof RegExp) continue;
    if (isCast(node)) found.push([node.start, node.end]);
    open.push(...Object.values(node));
  }
  return found;
}

function isCast(node: object): node is { start: number; end: number } {
  if (!('type' in node) || node.type !== 'TSAsExpression' || !('typeAnnotation' in node)) return false;
  const typeName: unknown = Reflect.get(Object(node.typeAnnotation), 'typeName');
  return Reflect.get(Object(typeName), 'name') !== 'const';
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.(tsx?|css)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/node_modules|\/locales\//.test(file));
}
