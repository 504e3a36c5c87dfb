import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@parley/scripts/build-stamps';
import { findTests, lintable, readRoomTests } from '@parley/scripts/test/changed';
import { describe, expect, it } from 'vitest';

describe('the tests of what has changed', () => {
  it('are those that the rooms of the changed files name, without a browser', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rooms-'));
    mkdirSync(join(folder, 'server/src/billing/budgets'), { recursive: true });
    const named = '// Tests of this room: tests/unit/billing, tests/e2e/billing, tests/integration/costs.test.ts.\n';
    writeFileSync(join(folder, 'server/src/billing/balances.ts'), `${named}export {};\n`);
    writeFileSync(join(folder, 'server/src/billing/quote.ts'), 'export {};\n');
    const changed = ['server/src/billing/budgets/budgets.ts', 'server/src/billing/quote.ts', 'server/src/main.ts'];
    expect(findTests(changed, folder)).toEqual(['tests/integration/costs.test.ts', 'tests/unit/billing']);
    expect(findTests(['web/src/removed/list.tsx'], folder)).toEqual([]);
  });

  it('are also the tests that have changed themselves', () => {
    const changed = ['tests/e2e/chat/send.test.ts', 'tests/support/server.ts'];
    expect(findTests(changed)).toEqual(['tests/e2e/chat/send.test.ts']);
  });

  it('are named by every room, and exist', () => {
    const rooms = ['server/src', 'web/src', 'schema/src'].flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'locales')
        .map(({ name }) => `${folder}/${name}`),
    );
    const named = rooms.map((room) => ({ room, tests: readRoomTests(room) }));
    expect(named.filter(({ tests }) => tests.length === 0)).toEqual([]);
    expect(named.filter(({ tests }) => !tests.every((path) => existsSync(join(root, path))))).toEqual([]);
  });

  it('follow a check of the sources only', () => {
    expect(lintable(['docs/data.md', 'web/src/app/app.tsx', 'web/src/app/app.css'])).toEqual(['web/src/app/app.tsx']);
  });
});
