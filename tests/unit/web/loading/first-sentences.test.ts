// @vitest-environment happy-dom
// The first screen draws before the rest of the English sentences has arrived, so it asks for none of them by name.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';
import { beforeAll, expect, it } from 'vitest';
import { i18n, startI18n } from '../../../../web/src/i18n.ts';

const sources = join(import.meta.dirname, '../../../../web/src');

beforeAll(startI18n);

it('the first screen names only sentences that come with it', () => {
  const files = withImports(['main.tsx', 'app/signed-in.tsx']);
  expect(files.length).toBeGreaterThan(150);
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bt\(\s*'(com_\w+)'/g)].map(([, key = '']) => ({
      file: relative(sources, file),
      key,
    })),
  );
  expect(named.length).toBeGreaterThan(40);
  const isThere = (key: string) => i18n.exists(key, { count: 1 });
  expect(named.filter(({ key }) => !isThere(key))).toEqual([]);
});

/** These files and what they import at once, directly or not. */
function withImports(entries: string[]): string[] {
  const seen = new Set<string>();
  const open = entries.map((entry) => join(sources, entry));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const from = dirname(file);
    const { staticImports } = parseSync(file, readFileSync(file, 'utf8')).module;
    const run = staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType));
    const own = run.map(({ moduleRequest }) => join(from, moduleRequest.value));
    open.push(...own.filter((path) => /\.tsx?$/.test(path) && existsSync(path)));
  }
  return [...seen];
}
