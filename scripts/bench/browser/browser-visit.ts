// A signed-in user in a browser, for benches of the web app.
import type { Browser, BrowserContext } from 'playwright-core';
import { PASSWORD } from '../../api-client.ts';

export const COMPOSER = '[data-testid="text-input"]';
export const SEND = '[data-testid="send-button"]';

/** Registers a new user in a fresh browser context. */
export async function visitAs(name: string, browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url });
  const password = 'nine green bottles';
  const account = { email: `${name}@example.com`, name: `${name} example`, username: name, password };
  const response = await context.request.post('/trpc/auth.register', {
    data: { ...account, confirm_password: password },
  });
  if (!response.ok()) throw new Error(`${name} cannot register: ${response.status()}`);
  return context;
}

/** The same for somebody who has registered by `registerAccount`. */
export async function signInAs(email: string, browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url });
  const response = await context.request.post('/trpc/auth.login', { data: { email, password: PASSWORD } });
  if (!response.ok()) throw new Error(`${email} cannot sign in: ${response.status()}`);
  return context;
}
