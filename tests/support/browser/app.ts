// A whole Parley for a browser: the built server as its own process, a database on the run's server, a fake provider.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Connection } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { build } from '@parley/scripts/build';
import { launchBrowser } from '@parley/scripts/browser';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { root } from '@parley/scripts/build-stamps';
import { sql } from 'drizzle-orm';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { inject } from 'vitest';
import { copyTemplate, POOL_SIZE } from '../database.ts';
import { isFullRun } from '../extent.ts';
import { freePort } from '../free-port.ts';
import { openVisit, type Visit } from './visits.ts';

export interface App {
  url: string;
  provider: FakeProvider;
  browser: Browser;
  /** For what no screen can do, such as changing the age of a conversation. */
  database: Connection;
  /** The newest lines of the server's log. */
  readonly logged: string;
  /** Kills the server and starts it again at the same address. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  /** A browser of a user who has just registered. The same name is the same account. */
  open(name: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Makes an account, without a browser. */
  register(name: string): Promise<void>;
  /** A signed-out browser. */
  visitor(options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

export const PASSWORD = 'nine green bottles';

/**
 * A separate app, started with `env` added to the ordinary configuration. It uses the worker's ports, and the worker's
 * browser unless it needs one of its own, with `switches`.
 */
export async function startApp(env: Record<string, string> = {}, switches: readonly string[] = []): Promise<App> {
  await (built ??= build());
  const folder = mkdtempSync(join(inject('run').folder, 'app-'));
  const provider = await startFakeProvider();
  const { connection: database, drop } = await copyTemplate();
  const { folder: PGHOST, user: PGUSER } = database;
  const settings = {
    DATA_DIR: folder,
    PORT: String(await workersPort(env)),
    PGHOST,
    PGUSER,
    DATABASE_URL: `postgres:///${database.database}`,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    REGISTER_MAX: '1000',
    LOGIN_MAX: '1000',
    RESET_MAX: '1000',
    ...env,
  };
  let { child, url, logged } = await startServer(folder, settings);
  const isOwn = switches.length > 0;
  const browser = await (isOwn ? launchBrowser([...switches]) : workersBrowser());
  return {
    get url() {
      return url;
    },
    get logged() {
      return logged();
    },
    provider,
    browser,
    database,
    async restart(signal = 'SIGKILL') {
      await ended(child, signal);
      ({ child, url, logged } = await startServer(folder, { ...settings, PORT: new URL(url).port }));
    },
    async open(name, options) {
      const visit = await openVisit(browser, url, options);
      await signIn(visit.context, name);
      return visit;
    },
    async register(name) {
      const response = await fetch(`${url}/trpc/auth.register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(registration(name)),
      });
      if (!response.ok) throw new Error(`${name} cannot register: ${response.status} ${await response.text()}`);
    },
    visitor: (options) => openVisit(browser, url, options),
    async close() {
      // Other tests check the graceful shutdown; here the data goes too.
      await ended(child, 'SIGKILL');
      if (isOwn) await browser.close();
      await provider.close();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let built: Promise<void> | undefined;
let shared: Promise<App> | undefined;
let browser: Promise<Browser> | undefined;

/**
 * The app with the ordinary configuration, shared by the files of this worker, one after the other. Its `close` resets
 * it for the next file: names are free for new accounts, and the provider has no recorded requests.
 */
export async function sharedApp(): Promise<App> {
  const app = await (shared ??= startApp());
  const { open, register, visitor, restart, provider, browser, database } = app;
  const visits: Visit[] = [];
  const noted = async (visit: Promise<Visit>) => {
    visits.push(await visit);
    return visit;
  };
  return {
    provider,
    browser,
    database,
    restart,
    register,
    get url() {
      return app.url;
    },
    get logged() {
      return app.logged;
    },
    open: (name, options) => noted(open(name, options)),
    visitor: (options) => noted(visitor(options)),
    async close() {
      await Promise.all(visits.map((visit) => visit.leave()));
      await freeNames(database);
      provider.clear();
    },
  };
}

/** A page that lives for seconds is gone before its optimized code has paid for itself. */
const UNOPTIMIZED = ['--js-flags=--no-opt --no-maglev'];

/** It ends with the worker, when the worker's end of the pipe closes. */
function workersBrowser(): Promise<Browser> {
  return (browser ??= launchBrowser(isFullRun ? [] : UNOPTIMIZED));
}

let ports: { ordinary: number; own: number } | undefined;

/**
 * The apps of a worker with a configuration of their own follow each other at one address: the browser has the pages of
 * that address in its cache.
 */
async function workersPort(env: Record<string, string>): Promise<number> {
  ports ??= { ordinary: await freePort(), own: await freePort() };
  return Object.keys(env).length === 0 ? ports.ordinary : ports.own;
}

async function freeNames(database: Connection): Promise<void> {
  const { query, end } = connect(database, { max: 1 });
  await query.update(users).set({ email: sql`${users.id} || '@former.example.com'`, username: null });
  await end();
}

interface StartedServer {
  child: ChildProcess;
  url: string;
  logged: () => string;
}

/** Characters of the log that are kept to tell why a test fails. */
const LOG_KEPT = 4_000;

async function startServer(cwd: string, env: Record<string, string>): Promise<StartedServer> {
  const { PATH = '', HOME = '' } = process.env;
  // By `TEST_RUN` a process that outlives its worker ends with the run.
  const known = { PATH, HOME, TEST_RUN: inject('run').folder, ...env };
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], { cwd, env: known });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-LOG_KEPT);
      const ready = /ready on (\S+)/.exec(said)?.[1];
      if (ready) resolve(ready);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
  });
  return { child, url, logged: () => said };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

/** Registers without the form, which leaves the session cookie in the browser; the second call signs in. */
async function signIn({ request }: BrowserContext, name: string): Promise<void> {
  const data = registration(name);
  const registered = await request.post('/trpc/auth.register', { data });
  if (registered.ok()) return;
  const signedIn = await request.post('/trpc/auth.login', { data: { email: data.email, password: PASSWORD } });
  if (!signedIn.ok()) throw new Error(`${name} cannot sign in: ${signedIn.status()} ${await signedIn.text()}`);
}

function registration(name: string) {
  const email = `${name}@example.com`;
  return { email, name: `${name} example`, username: name, password: PASSWORD, confirm_password: PASSWORD };
}
