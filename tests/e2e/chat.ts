// The chat screen as a person finds it: by role and name.
import type { AppRouter } from '@parley/server/router';
import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import type { Locator, Page } from 'playwright-core';
import { PASSWORD, type App } from './app.ts';

/** The browser's own words for a request or a socket that did not reach the server. */
export const NO_NETWORK =
  /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE/;

export function composer(page: Page): Locator {
  return page.getByRole('textbox', { name: /^Message/ });
}

export function sendButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Send message' });
}

export function stopButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Stop generating' });
}

export function thread(page: Page): Locator {
  return page.getByRole('log', { name: 'Conversation' });
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

/** A button under a message, whether or not the message shows its buttons. */
export function action(message: Locator, name: string): Locator {
  return message.getByRole('button', { name, exact: true });
}

export function conversations(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Conversations' }).getByRole('listitem');
}

/** The row of a conversation. */
export function conversation(page: Page, title: string): Locator {
  return conversations(page).filter({ has: page.getByRole('link', { name: title, exact: true }) });
}

/** Starts a new chat that takes input: by its link where the app is open, else by its address. */
export async function openNewChat(page: Page): Promise<void> {
  const link = page.getByRole('navigation').getByRole('link', { name: 'New chat', exact: true });
  await ((await link.isVisible()) ? link.click() : page.goto('/c/new'));
  await page.waitForURL('**/c/new');
  await page.getByRole('heading', { name: 'How can I help you today?' }).waitFor();
}

/** Writes and sends with Enter. */
export async function send(page: Page, question: string): Promise<void> {
  await composer(page).fill(question);
  await page.locator('[data-testid="send-button"]:enabled').waitFor();
  await composer(page).press('Enter');
}

/** Writes and sends, and waits until the question is on screen. */
export async function ask(page: Page, question: string): Promise<void> {
  const before = await page.evaluate(() =>
    [...document.querySelectorAll('[data-row]')].at(-1)?.getAttribute('data-key'),
  );
  await send(page, question);
  await page.waitForFunction(
    ({ last, text }) => {
      const rows = [...document.querySelectorAll('[data-row]')];
      if (rows.at(-1)?.getAttribute('data-key') === last) return false;
      // A long answer that came at once has moved its question out of sight.
      return rows.some((row) => row.textContent.includes(text)) || rows.at(-1)?.querySelector('[data-latest]');
    },
    { last: before, text: question },
  );
}

/** Waits until nothing is being written in the conversation on screen. */
export async function answered(page: Page): Promise<void> {
  await page.locator('article[aria-busy=true]').waitFor({ state: 'detached' });
  await stopButton(page).waitFor({ state: 'detached' });
}

/** Waits until words of an answer are on screen. */
export async function speaking(page: Page): Promise<void> {
  await answerText(page).first().waitFor();
}

/** The id in the address. */
export function openId(page: Page): string {
  const id = new URL(page.url()).pathname.split('/')[2];
  if (!id || id === 'new') throw new Error(`No conversation is open at ${page.url()}`);
  return id;
}

/** The same account as a program. */
export async function apiOf(app: App, name: string): Promise<TRPCClient<AppRouter>> {
  const url = `${app.url}/trpc`;
  const { auth } = createTRPCClient<AppRouter>({ links: [httpLink({ url })] });
  const { token } = await auth.login.mutate({ email: `${name}@example.com`, password: PASSWORD });
  return createTRPCClient<AppRouter>({ links: [httpLink({ url, headers: { authorization: `Bearer ${token}` } })] });
}
