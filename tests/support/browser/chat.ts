// The chat screen as a user finds it: by role and name.
import { connect } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { insertThread } from '@parley/scripts/seed/threads';
import type { AppRouter } from '@parley/server/router';
import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import { eq } from 'drizzle-orm';
import type { Locator, Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { PASSWORD, type App } from './app.ts';

/** The browser's messages for a request or a socket that did not reach the server. */
export const NO_NETWORK =
  /ERR_INTERNET_DISCONNECTED|ERR_CONTENT_LENGTH_MISMATCH|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|WebSocket connection to \S+ failed/;

export function composer(page: Page): Locator {
  return page.getByRole('textbox', { name: /^Message/ });
}

/** The button that shows the chat's model, in the header or within a part of the page. */
export function modelPicker(within: Page | Locator): Locator {
  return within.locator('button[data-tooltip="Choose another model"]');
}

export function sendButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Send message' });
}

export function stopButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Stop generating' });
}

export function thread(page: Page): Locator {
  return page.getByRole('log', { name: 'Chat' });
}

/** The text of the thread without its times and icons, which change by themselves. */
export function wordsOf(page: Page): Promise<string> {
  return thread(page).evaluate((log) => {
    const copy = log.cloneNode(true) as Element;
    for (const part of copy.querySelectorAll('time, [aria-hidden=true]')) part.remove();
    return copy.textContent ?? '';
  });
}

/** Questions and answers on screen, oldest first. */
export function messages(page: Page): Locator {
  return thread(page).getByRole('article');
}

export function lastMessage(page: Page): Locator {
  return messages(page).last();
}

/** The paragraphs of the newest answer. */
export function answerText(page: Page): Locator {
  return lastMessage(page).getByRole('paragraph');
}

/** A button under a message, visible or not. */
export function action(message: Locator, name: string): Locator {
  return message.getByRole('button', { name, exact: true });
}

export function conversations(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Chats' }).getByRole('listitem');
}

/** The row of a conversation that nothing is written in, whether it is read or not. */
export function conversation(page: Page, title: string): Locator {
  const escaped = title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return conversations(page).filter({
    has: page.getByRole('link', { name: new RegExp(`^\\s*${escaped}( Unread answer)?\\s*$`) }),
  });
}

/** Starts a new chat that accepts input: by its link if the app is open, otherwise by its address. */
export async function openNewChat(page: Page): Promise<void> {
  const link = page.getByRole('navigation').getByRole('link', { name: 'New chat', exact: true });
  await ((await link.isVisible()) ? link.click() : page.goto('/c/new'));
  await page.waitForURL('**/c/new');
  await page.getByTestId('landing-title').waitFor();
}

/** Types and sends with Enter. */
export async function send(page: Page, question: string): Promise<void> {
  await composer(page).fill(question);
  await page.locator('[data-testid="send-button"]:enabled').waitFor();
  await composer(page).press('Enter');
}

/** After an answer that is not whole: one can type, and Enter alone sends nothing. */
export async function expectHeldBack(page: Page): Promise<void> {
  await composer(page).fill('Not yet');
  await page.getByTestId('send-anyway').waitFor();
  await composer(page).press('Enter');
  expect(await composer(page).inputValue()).toBe('Not yet');
  expect(await stopButton(page).count()).toBe(0);
  await composer(page).fill('');
}

/** Types and sends, and waits until the question is on screen. */
export async function ask(page: Page, question: string): Promise<void> {
  const before = await page.evaluate(() =>
    [...document.querySelectorAll('[data-row]')].at(-1)?.getAttribute('data-key'),
  );
  await send(page, question);
  await page.waitForFunction(
    ({ last, text }) => {
      const rows = [...document.querySelectorAll('[data-row]')];
      if (rows.at(-1)?.getAttribute('data-key') === last) return false;
      // A long answer that arrives at once scrolls its question out of view.
      return rows.some((row) => row.textContent.includes(text)) || rows.at(-1)?.querySelector('[data-latest]');
    },
    { last: before, text: question },
  );
}

/** Waits until nothing streams in the conversation on screen. */
export async function answered(page: Page): Promise<void> {
  await page.locator('article[aria-busy=true]').waitFor({ state: 'detached' });
  await stopButton(page).waitFor({ state: 'detached' });
}

/** Waits until these words of an answer are on screen. */
export async function streaming(page: Page): Promise<void> {
  await answerText(page).first().waitFor();
}

/** The id in the address. */
export function openId(page: Page): string {
  const id = new URL(page.url()).pathname.split('/')[2];
  if (!id || id === 'new') throw new Error(`No conversation is open at ${page.url()}`);
  return id;
}

/**
 * Shows a path of the app as a link of the app does, without a load of the page; loads it in a page that shows nothing
 * yet.
 */
export async function visit(page: Page, path: string): Promise<void> {
  const isOpen = await page.getByRole('main').isVisible();
  await (isOpen ? page.evaluate((to) => history.pushState(null, '', to), path) : page.goto(path));
}

/** Requests of this path wait for the call that is returned. */
export async function hold(page: Page, path: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(path, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** The next answer of this path is read at once, and arrives when `release` is called. */
export async function holdAnswer(page: Page, path: RegExp) {
  let read = () => {};
  let release = () => {};
  const isRead = new Promise<void>((resolve) => (read = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const arrived = page.waitForEvent('requestfinished', (request) => path.test(request.url()));
  const answer = async (route: Route) => {
    const response = await route.fetch();
    read();
    await released;
    await route.fulfill({ response });
  };
  await page.route(path, answer, { times: 1 });
  return {
    isRead,
    async release() {
      release();
      await arrived;
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    },
  };
}

/**
 * Opens a conversation of these texts, questions and answers in turn; `parentAt` adds branches. It is in the database
 * and not in the list. Returns its id.
 */
export async function openThread(
  app: App,
  name: string,
  page: Page,
  texts: string[],
  parentAt?: (n: number) => number | null,
): Promise<string> {
  const id = await insertConversation(app, name, texts, parentAt);
  await visit(page, `/c/${id}`);
  await page.waitForURL(`**/c/${id}`);
  await page.locator(`[data-latest]`).waitFor({ state: 'attached' });
  return id;
}

/** Returns the conversation's id. */
async function insertConversation(
  app: App,
  name: string,
  texts: string[],
  parentAt?: (n: number) => number | null,
): Promise<string> {
  const db = connect(app.database, { max: 1 });
  const [user] = await db.query
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, `${name}@example.com`));
  if (!user) throw new Error(`${name} has no account`);
  const { conversationId } = await insertThread(db, user.id, texts.length, (n) => texts[n] ?? '', parentAt);
  await db.end();
  return conversationId;
}

const clients = new WeakMap<App, Map<string, Promise<TRPCClient<AppRouter>>>>();

/** The same account through the API; signs in once per name. */
export function apiOf(app: App, name: string): Promise<TRPCClient<AppRouter>> {
  const ofApp = clients.get(app) ?? new Map<string, Promise<TRPCClient<AppRouter>>>();
  clients.set(app, ofApp);
  const client = ofApp.get(name) ?? signIn(app, name);
  ofApp.set(name, client);
  client.catch(() => ofApp.delete(name));
  return client;
}

async function signIn(app: App, name: string): Promise<TRPCClient<AppRouter>> {
  const url = `${app.url}/trpc`;
  const { auth } = createTRPCClient<AppRouter>({ links: [httpLink({ url })] });
  const { token } = await auth.login.mutate({ email: `${name}@example.com`, password: PASSWORD });
  return createTRPCClient<AppRouter>({ links: [httpLink({ url, headers: { authorization: `Bearer ${token}` } })] });
}
