// A whole Parley for a browser: the built server as its own process, a database on the run's server, a fake provider.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Connection } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { build } from '@parley/scripts/build';
import { launchBrowser } from '@parley/scripts/browser';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { root } from '@parley/scripts/stamps';
import { sql } from 'drizzle-orm';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { inject } from 'vitest';
import { copyTemplate } from '../database.ts';

export interface App {
  url: string;
  provider: FakeProvider;
  browser: Browser;
  /** For what no screen can do, such as changing the age of a conversation. */
  database: Connection;
  /** Kills the server and starts it again at the same address. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  /** A browser of a user who has just registered. The same name is the same account. */
  open(name: string, options?: BrowserContextOptions): Promise<Visit>;
  /** A signed-out browser. */
  visitor(options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Console errors of the page; a test that ends with any fails. */
  errors: string[];
  /** Expected errors, such as the browser's message for a rejected request. */
  tolerated: RegExp[];
}

export const PASSWORD = 'nine green bottles';

/** A separate app, started with `env` added to the ordinary configuration. It uses the worker's browser. */
export async function startApp(env: Record<string, string> = {}): Promise<App> {
  await build();
  const folder = mkdtempSync(join(inject('run').folder, 'app-'));
  const provider = await startFakeProvider();
  const { connection: database, drop } = await copyTemplate();
  const { folder: PGHOST, user: PGUSER } = database;
  const settings = {
    DATA_DIR: folder,
    PORT: '0',
    PGHOST,
    PGUSER,
    DATABASE_URL: `postgres:///${database.database}`,
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    REGISTER_MAX: '1000',
    LOGIN_MAX: '1000',
    RESET_MAX: '1000',
    ...env,
  };
  let { child, url } = await startServer(folder, settings);
  const browser = await workersBrowser();
  return {
    get url() {
      return url;
    },
    provider,
    browser,
    database,
    async restart(signal = 'SIGKILL') {
      await ended(child, signal);
      ({ child, url } = await startServer(folder, { ...settings, PORT: new URL(url).port }));
    },
    async open(name, options) {
      const visit = await openVisit(browser, url, options);
      await signIn(visit.context, name);
      return visit;
    },
    visitor: (options) => openVisit(browser, url, options),
    async close() {
      // Other tests check the graceful shutdown; here the data goes too.
      await ended(child, 'SIGKILL');
      await provider.close();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<App> | undefined;
let browser: Promise<Browser> | undefined;

/**
 * The app with the ordinary configuration, shared by the files of this worker, one after the other. Its `close` resets
 * it for the next file: names are free for new accounts, and the provider has no recorded requests.
 */
export async function sharedApp(): Promise<App> {
  const app = await (shared ??= startApp());
  const { open, visitor, restart, provider, browser, database } = app;
  const contexts = new Set<BrowserContext>();
  const kept = async (visit: Promise<Visit>) => {
    contexts.add((await visit).context);
    return visit;
  };
  return {
    provider,
    browser,
    database,
    restart,
    get url() {
      return app.url;
    },
    open: (name, options) => kept(open(name, options)),
    visitor: (options) => kept(visitor(options)),
    async close() {
      await Promise.all([...contexts].map((context) => context.close()));
      await freeNames(database);
      provider.clear();
    },
  };
}

/** It ends with the worker, when the worker's end of the pipe closes. */
function workersBrowser(): Promise<Browser> {
  return (browser ??= launchBrowser());
}

async function freeNames(database: Connection): Promise<void> {
  const { query, end } = connect(database, { max: 1 });
  await query.update(users).set({ email: sql`${users.id} || '@former.example.com'`, username: null });
  await end();
}

async function startServer(cwd: string, env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], { cwd, env: { PATH, HOME, ...env } });
  // A process that outlives its worker ends with the run.
  const note = join(inject('run').folder, `${child.pid}.pid`);
  writeFileSync(note, '');
  child.once('exit', () => rmSync(note, { force: true }));
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const ready = /ready on (\S+)/.exec(said)?.[1];
      if (ready) resolve(ready);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
  });
  return { child, url };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

async function openVisit(browser: Browser, url: string, options?: BrowserContextOptions): Promise<Visit> {
  // A worker's own requests would pass by the routes of the tests.
  const context = await browser.newContext({ baseURL: url, locale: 'en-US', serviceWorkers: 'block', ...options });
  const errors: string[] = [];
  const tolerated: RegExp[] = [];
  const hear = (error: string) => tolerated.some((one) => one.test(error)) || errors.push(error);
  context.on('console', (message) => message.type() === 'error' && hear(`${message.text()} ${message.location().url}`));
  context.on('weberror', (error) => hear(error.error().message));
  return { context, page: await context.newPage(), errors, tolerated };
}

/** Registers without the form, which leaves the session cookie in the browser; the second call signs in. */
async function signIn(context: BrowserContext, name: string): Promise<void> {
  const account = { email: `${name}@example.com`, password: PASSWORD };
  const registered = await context.request.post('/trpc/auth.register', {
    data: { ...account, name: `${name} example`, username: name, confirm_password: PASSWORD },
  });
  if (registered.ok()) return;
  const signedIn = await context.request.post('/trpc/auth.login', { data: account });
  if (!signedIn.ok()) throw new Error(`${name} cannot sign in: ${signedIn.status()} ${await signedIn.text()}`);
}
