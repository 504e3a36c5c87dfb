// What every browser test stands on: one app for all tests of a file, and visits that must have kept quiet.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startApp, type App, type Visit } from './app.ts';

/** Milliseconds that a state may take to come; a busy machine is slow, and a test that waits longer than this is stuck. */
const PATIENCE = 15_000;

export interface Stage {
  readonly app: App;
  /** The page of a person with an account: the same one in every test of the file, as long as none fails on it. */
  open(name: string): Promise<Visit>;
  /** Another browser of a person with an account, for this test alone. */
  openElsewhere(name: string, options?: BrowserContextOptions): Promise<Visit>;
  /** A browser of somebody who is not signed in, for this test alone. */
  visitor(options?: BrowserContextOptions): Promise<Visit>;
}

/**
 * Called once at the top of a file. `env` adds to what the server is started with. A test whose pages wrote errors to the
 * console has failed.
 */
export function withApp(env?: Record<string, string>): Stage {
  let app: App;
  const homes = new Map<string, Visit>();
  const guests: Visit[] = [];

  beforeAll(async () => {
    app = await startApp(env);
  });

  afterEach(async ({ task }) => {
    const visits = [...homes.values(), ...guests];
    await Promise.all(guests.splice(0).map(({ context }) => context.close()));
    await Promise.all([...homes.values()].map(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' })));
    if (task.result?.state === 'fail') await leaveHomes();
    const errors = visits.flatMap((visit) => visit.errors.splice(0));
    for (const visit of visits) visit.tolerated.length = 0;
    expect(errors, 'errors in the console').toEqual([]);
  });

  afterAll(() => app?.close());

  /** Whatever state a failed test left its page in is not the next one's. */
  async function leaveHomes(): Promise<void> {
    await Promise.all([...homes.values()].map(({ context }) => context.close()));
    homes.clear();
  }

  async function guest(visit: Promise<Visit>): Promise<Visit> {
    guests.push(patient(await visit));
    return visit;
  }

  return {
    get app() {
      return app;
    },
    async open(name) {
      const home = homes.get(name) ?? patient(await app.open(name));
      homes.set(name, home);
      return home;
    },
    openElsewhere: (name, options) => guest(app.open(name, options)),
    visitor: (options) => guest(app.visitor(options)),
  };
}

function patient(visit: Visit): Visit {
  visit.page.setDefaultTimeout(PATIENCE);
  return visit;
}

/** The page's timers come half a second late from now on, as on a machine that is busy. */
export async function delayTimers(page: Page): Promise<void> {
  await page.evaluate(
    `{ const wait = window.setTimeout; window.setTimeout = (run, ms, ...rest) => wait(run, (ms ?? 0) + 500, ...rest); }`,
  );
}

/** An assertion that is tried until it holds. */
export function soon<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: PATIENCE, interval: 30 });
}
