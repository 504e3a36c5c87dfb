// The base of every browser test: one app for all tests of a file, and a check that no page logged an error.
import { connect } from '@parley/db/client';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { untilIndexed } from '../exchange.ts';
import { sharedApp, startApp, type App } from './app.ts';
import type { Visit } from './visits.ts';

/** Milliseconds to wait for a state; a busy machine is slow, but a test that waits longer than this is stuck. */
const PATIENCE = 60_000;
/** Each look at the page costs it and this process some milliseconds: more often makes the whole run slower. */
const POLL_MS = 100;

export interface AppFixture {
  readonly app: App;
  /**
   * The page of a registered user: the same one for every test of the file, until a test fails on it. A user may have
   * more devices, each a browser of its own.
   */
  open(name: string, device?: string): Promise<Visit>;
  /** A fresh browser of a registered user, for this test only. */
  openElsewhere(name: string, options?: BrowserContextOptions): Promise<Visit>;
  /** A signed-out browser, for this test only. */
  visitor(options?: BrowserContextOptions): Promise<Visit>;
}

/**
 * Call once at the top of a file. `env` adds to the server's environment; without it the file shares the server of its
 * worker; `switches` are those of a browser of its own. A test fails if one of its pages logs an error to the console that neither it nor the file tolerates.
 */
export function withApp(
  env?: Record<string, string>,
  toleratedByAll: readonly RegExp[] = [],
  switches: readonly string[] = [],
): AppFixture {
  let app: App;
  const homes = new Map<string, Visit>();
  const guests: Visit[] = [];

  beforeAll(async () => {
    app = await (env ? startApp(env, switches) : sharedApp());
  });

  afterEach(async ({ task }) => {
    const visits = [...homes.values(), ...guests];
    if (task.result?.state === 'fail') await tellState(app, visits);
    // Nobody inherits the browser of a failed test.
    if (task.result?.state === 'fail') await Promise.all(visits.map(({ context }) => context.close()));
    await Promise.all(guests.splice(0).map((visit) => visit.leave()));
    if (task.result?.state === 'fail') await leaveHomes();
    await Promise.all([...homes.values()].map(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' })));
    const errors = visits.flatMap((visit) => visit.errors.splice(0));
    for (const visit of visits) visit.tolerated.splice(0, Infinity, ...toleratedByAll);
    expect(errors, 'errors in the console').toEqual([]);
  });

  afterAll(async () => {
    await leaveHomes();
    await app?.close();
  });

  async function leaveHomes(): Promise<void> {
    await Promise.all([...homes.values()].map((visit) => visit.leave()));
    homes.clear();
  }

  function prepare(visit: Visit): Visit {
    visit.page.setDefaultTimeout(PATIENCE);
    visit.tolerated.push(...toleratedByAll);
    return visit;
  }

  async function guest(visit: Promise<Visit>): Promise<Visit> {
    guests.push(prepare(await visit));
    return visit;
  }

  return {
    get app() {
      return app;
    },
    async open(name, device = '') {
      const key = `${name} ${device}`;
      const home = homes.get(key) ?? prepare(await app.open(name));
      homes.set(key, home);
      return home;
    },
    openElsewhere: (name, options) => guest(app.open(name, options)),
    visitor: (options) => guest(app.visitor(options)),
  };
}

/** Characters of a page that are shown when a test fails on it. */
const SHOWN_MAX = 3_000;

/** Prints what the pages of a failed test show, and the newest lines of the server's log. */
async function tellState(app: App, visits: Visit[]): Promise<void> {
  for (const { page } of visits) {
    const shown = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String);
    console.error(`${page.url()}\n${shown.slice(0, SHOWN_MAX)}`);
  }
  console.error(app.logged);
}

/**
 * From now on the page's timers fire `by` milliseconds late, as on a busy machine. `settled` waits until those of up to
 * a second have fired, so that what they were to do is done; `restore` brings the page's own timers back.
 */
export async function delayTimers(
  page: Page,
  by = 500,
): Promise<{ settled(): Promise<unknown>; restore(): Promise<void> }> {
  await page.evaluate(`{
    const wait = window.setTimeout;
    const clear = window.clearTimeout;
    const pending = new Set();
    window.setTimeout = (run, ms = 0, ...rest) => {
      const id = wait(() => { pending.delete(id); run(...rest); }, ms + ${by});
      if (ms <= 1000) pending.add(id);
      return id;
    };
    window.clearTimeout = (id) => { pending.delete(id); clear(id); };
    window.delayed = { pending, restore() { window.setTimeout = wait; window.clearTimeout = clear; } };
  }`);
  return {
    settled: () =>
      page.evaluate(`(async () => {
        for (let quiet = 0; quiet < 3; quiet = window.delayed.pending.size === 0 ? quiet + 1 : 0)
          await new Promise(requestAnimationFrame);
      })()`),
    restore: () => page.evaluate('window.delayed.restore()'),
  };
}

/** Waits until the entries of all answers that have ended are in the search: a page asks for its hits once. */
export async function searchable({ database }: Pick<App, 'database'>): Promise<void> {
  const db = connect(database, { max: 1 });
  await untilIndexed(db);
  await db.end();
}

/** Retries an assertion until it holds. */
export function soon<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: PATIENCE, interval: POLL_MS });
}
