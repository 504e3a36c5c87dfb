// A signed-in person in a browser, for the benches of what is on the screen.
import type { Browser, BrowserContext } from 'playwright-core';

export const COMPOSER = '[data-testid="text-input"]';
export const SEND = '[data-testid="send-button"]';

/** A browser that has never been anywhere but at the server's registration. */
export async function visitAs(name: string, browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url });
  const password = 'nine green bottles';
  const account = { email: `${name}@example.com`, name: `${name} example`, username: name, password };
  const answer = await context.request.post('/trpc/auth.register', {
    data: { ...account, confirm_password: password },
  });
  if (!answer.ok()) throw new Error(`${name} cannot register: ${answer.status()}`);
  return context;
}
