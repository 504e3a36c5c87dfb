// A whole Parley for a browser: the built server as a process of its own, its embedded database, a fake provider.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@parley/db/client';
import { connectionTo, preparePlace } from '@parley/db/embedded/place';
import { build } from '@parley/scripts/build';
import { launchBrowser } from '@parley/scripts/browser';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { root } from '@parley/scripts/stamps';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface App {
  url: string;
  provider: FakeProvider;
  browser: Browser;
  /** For what no screen can do, such as making a conversation old. */
  database: Connection;
  /** Kills the server and starts it again at the same address. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  /** A browser of a person who has just registered. The same name is the same account. */
  open(name: string, options?: BrowserContextOptions): Promise<Visit>;
  /** A browser of somebody who is not signed in. */
  visitor(options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** What the page wrote to its console as an error; a test that ends with any has failed. */
  errors: string[];
  /** Errors that belong to what is being tried, such as the browser's own word for a refused request. */
  tolerated: RegExp[];
}

export const PASSWORD = 'nine green bottles';

export async function startApp(env: Record<string, string> = {}): Promise<App> {
  await build();
  const folder = mkdtempSync(join(tmpdir(), 'parley-e2e-'));
  const provider = await startFakeProvider();
  const openAI = {
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
    REGISTER_MAX: '1000',
    LOGIN_MAX: '1000',
    RESET_MAX: '1000',
  };
  const settings = { DATA_DIR: folder, PORT: '0', ...openAI, ...env };
  let { child, url } = await startServer(folder, settings);
  const browser = await launchBrowser();
  return {
    get url() {
      return url;
    },
    provider,
    browser,
    database: connectionTo(preparePlace(folder), 'parley'),
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
      await browser.close();
      await ended(child, 'SIGTERM');
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(cwd: string, env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], { cwd, env: { PATH, HOME, ...env } });
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
  const context = await browser.newContext({ baseURL: url, locale: 'en-US', ...options });
  const errors: string[] = [];
  const tolerated: RegExp[] = [];
  const hear = (error: string) => tolerated.some((one) => one.test(error)) || errors.push(error);
  context.on('console', (message) => message.type() === 'error' && hear(message.text()));
  context.on('weberror', (error) => hear(error.error().message));
  return { context, page: await context.newPage(), errors, tolerated };
}

/** Registers without the form, which leaves the session's cookie in the browser; the second time it signs in. */
async function signIn(context: BrowserContext, name: string): Promise<void> {
  const account = { email: `${name}@example.com`, password: PASSWORD };
  const registered = await context.request.post('/trpc/auth.register', {
    data: { ...account, name: `${name} example`, username: name, confirm_password: PASSWORD },
  });
  if (registered.ok()) return;
  const signedIn = await context.request.post('/trpc/auth.login', { data: account });
  if (!signedIn.ok()) throw new Error(`${name} cannot sign in: ${signedIn.status()} ${await signedIn.text()}`);
}
