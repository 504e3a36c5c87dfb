// The browsers of users, each a context with one page. A context that a test leaves is emptied and serves another one:
// it has the app in its cache, and the app's first load costs four times as much as the next.
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  ConsoleMessage,
  Page,
  WebError,
} from 'playwright-core';
import { isFullRun } from '../extent.ts';
import { delayNetwork } from './network.ts';

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Console errors of the page; a test that ends with any fails. */
  errors: string[];
  /** Expected errors, such as the browser's message for a rejected request. */
  tolerated: RegExp[];
  /** Ends the visit; its context serves another one if it can be emptied. */
  leave(): Promise<void>;
}

interface Room {
  /** Rooms of the same kind differ in nothing that `settle` cannot set. */
  kind: string;
  context: BrowserContext;
  page: Page;
  session: CDPSession;
  /** Whether something was installed that cannot be taken away again. */
  isMarked: boolean;
}

/** Each has a process. */
const ROOMS_MAX = 6;

/** The emptied contexts of this worker, the one left last at the end. */
const rooms: Room[] = [];

/** Without motion, pages are drawn less often; the full run sees them move. */
const reducedMotion = isFullRun ? 'no-preference' : 'reduce';

const VIEWPORT = { width: 1280, height: 720 };

export async function openVisit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const room = await enter(browser, url, options);
  const { context, page } = room;
  const errors: string[] = [];
  const tolerated: RegExp[] = [];
  const stopListening = listen(context, (error) => tolerated.some((one) => one.test(error)) || errors.push(error));
  let hasLeft = false;
  return {
    context,
    page,
    errors,
    tolerated,
    async leave() {
      if (hasLeft) return;
      hasLeft = true;
      stopListening();
      if (await isEmptied(room, url)) rooms.push(room);
      else await context.close();
      if (rooms.length > ROOMS_MAX) await rooms.shift()?.context.close();
    },
  };
}

async function enter(browser: Browser, url: string, options: BrowserContextOptions): Promise<Room> {
  const { colorScheme = 'light', viewport = VIEWPORT, ...rest } = options;
  // A worker's own requests would pass by the routes of the tests.
  const settings: BrowserContextOptions = {
    baseURL: url,
    locale: 'en-US',
    serviceWorkers: 'block',
    reducedMotion,
    ...rest,
  };
  const kind = JSON.stringify(settings);
  // A file that starts a browser of its own leaves rooms of it behind.
  const at = rooms.findLastIndex((room) => room.kind === kind && room.context.browser() === browser);
  const [room] = at < 0 ? [] : rooms.splice(at, 1);
  if (!room) return createRoom(browser, kind, { ...settings, colorScheme, viewport });
  await room.page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors: 'none' });
  await room.page.setViewportSize(viewport ?? VIEWPORT);
  return room;
}

async function createRoom(browser: Browser, kind: string, settings: BrowserContextOptions): Promise<Room> {
  const context = await browser.newContext(settings);
  await delayNetwork(context);
  const page = await context.newPage();
  const room = { kind, context, page, session: await context.newCDPSession(page), isMarked: false };
  for (const it of [context, page, context.clock]) markUse(it, room);
  return room;
}

/** What stays in a context: scripts for every page, routes of sockets, a clock, what a session of the protocol sets. */
const STAYING = ['addInitScript', 'exposeBinding', 'exposeFunction', 'routeWebSocket', 'newCDPSession', 'install'];

function markUse(it: object, room: Room): void {
  for (const name of STAYING) {
    const call: unknown = Reflect.get(it, name);
    if (typeof call !== 'function') continue;
    const marking = (...given: unknown[]): unknown => {
      room.isMarked = true;
      return Reflect.apply(call, it, given);
    };
    Reflect.set(it, name, marking);
  }
}

/** Every running artifact asks for a file that its headers leave out. */
const IS_SEALED = /ERR_NETWORK_ACCESS_REVOKED .*\/artifact\/unlisted\.css$/;

function listen(context: BrowserContext, hear: (error: string) => unknown): () => void {
  const onConsole = (message: ConsoleMessage) => {
    const error = `${message.text()} ${message.location().url}`;
    if (message.type() === 'error' && !IS_SEALED.test(error)) hear(error);
  };
  const onError = (error: WebError) => hear(error.error().message);
  context.on('console', onConsole);
  context.on('weberror', onError);
  return () => void context.off('console', onConsole).off('weberror', onError);
}

const EVENTS = ['request', 'requestfinished', 'requestfailed', 'response', 'dialog', 'websocket', 'console'];

/** Whether the context is as a new one again, but for its cache and its process. */
async function isEmptied({ context, page, session, isMarked }: Room, url: string): Promise<boolean> {
  if (isMarked || page.isClosed() || !page.url().startsWith(`${url}/`)) return false;
  try {
    await Promise.all(context.pages().map((other) => other !== page && other.close()));
    for (const event of EVENTS) page.removeAllListeners(event).context().removeAllListeners(event);
    await Promise.all([page, context].map((it) => it.unrouteAll({ behavior: 'ignoreErrors' })));
    await context.setOffline(false);
    await page.mouse.move(0, 0);
    // A page of the site, so that the process stays too.
    await page.goto(`${url}/health`);
    await Promise.all([context.clearCookies(), context.clearPermissions(), page.evaluate(FORGET)]);
    await session.send('Page.resetNavigationHistory');
    return true;
  } catch {
    return false;
  }
}

const FORGET = `(async () => {
  localStorage.clear();
  sessionStorage.clear();
  for (const name of await caches.keys()) await caches.delete(name);
  for (const { name } of await indexedDB.databases())
    await new Promise((resolve, reject) => {
      const deleting = indexedDB.deleteDatabase(name);
      deleting.onsuccess = resolve;
      deleting.onerror = deleting.onblocked = reject;
    });
})()`;
