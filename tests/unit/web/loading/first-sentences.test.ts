// @vitest-environment happy-dom
// The first screens draw before the rest of the English sentences has arrived, so they ask for none of them by name.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';
import { beforeAll, expect, it } from 'vitest';
import { addSentences, i18n, startI18n } from '../../../../web/src/i18n.ts';
import auth from '../../../../web/src/locales/en-US/auth.json';

const sources = join(import.meta.dirname, '../../../../web/src');

beforeAll(startI18n);

it('the chat names only sentences that come with the page', () => {
  const files = withImports(['main.tsx', 'app/signed-in.tsx']);
  expect(files.length).toBeGreaterThan(150);
  expectSentences(files, 40);
});

it('the account screens name only those and their own', () => {
  addSentences(auth);
  expectSentences(withImports(['main.tsx', 'auth/account-screens.tsx']), 60);
});

/** At least `count` sentences are named in these files, and each is there. */
function expectSentences(files: readonly string[], count: number): void {
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:\bt\(\s*|\blabel=)['"](com_\w+)['"]/g)].map(([, key = '']) => ({
      file: relative(sources, file),
      key,
    })),
  );
  expect(named.length).toBeGreaterThan(count);
  const isThere = (key: string) => i18n.exists(key, { count: 1 });
  expect(named.filter(({ key }) => !isThere(key))).toEqual([]);
}

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
