// A program that first changes the realm it shares with its guard gets no further than one that does not.
import { expect, test } from 'vitest';
import { withApp } from '../../support/browser/app-fixture.ts';
import { CHANGES, changesFirst, ESCAPES, namesOfGuard, triesOnly, WEAKENED } from './hostile-programs.ts';
import { findBuiltIns, tryAll, withGuard, withoutAllowlist } from './try-frames.ts';

const stage = withApp(undefined, [/./]);

const EACH_ALONE = ESCAPES.map((way) => [way, triesOnly(way)] as const);

test.each(['with connection allowlists', 'without them'])('in a browser %s no program gets out', async (browser) => {
  const { page } = await stage.visitor();
  if (browser === 'without them') await withoutAllowlist(page);
  await page.goto(`${stage.app.url}/login`);
  expect(await tryAll(page, EACH_ALONE)).toEqual({});
});

// Without this, the tests below would also pass with tries that do nothing, or with hosts that hear nothing.
test.each(Object.entries(WEAKENED))(
  'a guard that %s is got past, by packets and by connections, and the real one is not',
  async (name, { guard, program }) => {
    const { page } = await stage.visitor();
    await withoutAllowlist(page);
    await page.goto(`${stage.app.url}/login`);
    expect(await tryAll(page, [[name, program]])).toEqual({});
    await withGuard(page, guard);
    const heard = await tryAll(page, [[name, program]]);
    expect(heard[name]).toContain('a packet');
    expect(heard[name]).toContain('a connection');
  },
);

// Thousands of frames.
const ALL_NAMES_MS = 3_600_000;

test(
  'frame.js holds alone against a program that first changes any built-in that it names',
  async () => {
    const { page } = await stage.visitor();
    await withoutAllowlist(page);
    await page.goto(`${stage.app.url}/login`);
    const names = await findBuiltIns(page, namesOfGuard());
    expect(names).toContain('exec');
    const programs = names.flatMap((name) =>
      Object.keys(CHANGES).map((change) => [`${name} ${change}`, changesFirst(name, change)] as const),
    );
    expect(await tryAll(page, programs)).toEqual({});
  },
  ALL_NAMES_MS,
);
