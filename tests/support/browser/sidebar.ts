// The sidebar as a user finds it, and a user with many conversations.
import { connect } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { eq, sql } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import type { App } from './app.ts';
import { action, conversation } from './chat.ts';
import { soon } from './app-fixture.ts';

export function sidebar(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Chats' });
}

/** The element that scrolls the rows. */
export function scroller(page: Page): Locator {
  return sidebar(page).getByRole('region').first().locator('xpath=ancestor::*[@aria-busy][1]');
}

/** The rows of a group, by its heading. */
export function group(page: Page, name: string): Locator {
  return sidebar(page).getByRole('region', { name, exact: true }).getByRole('listitem');
}

/** The titles of the rendered rows, from the top. */
export function titles(page: Page): Promise<string[]> {
  return sidebar(page).getByTestId('convo-item').allInnerTexts();
}

/** Opens the menu of a row, by the button that shows on hover. */
async function pressMore(page: Page, title: string): Promise<void> {
  const row = conversation(page, title);
  const label = `More for \u2068${title}\u2069`;
  const button = action(row, label);
  const pressed = async () => {
    await row.hover();
    await watchClicks(page);
    return button.click({ timeout: 1000 }).then(
      () => true,
      // A press that arrived but was reported too late must not be repeated: what it opened may cover the row.
      async () => (await clickedLabel(page)) === label,
    );
  };
  // A row that moves meanwhile loses the hover.
  await soon(pressed).toBe(true);
}

/** From now on the page keeps the label of the button that is clicked. */
function watchClicks(page: Page): Promise<void> {
  return page.evaluate(() => {
    delete document.documentElement.dataset.clicked;
    const keep = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest('button') : null;
      document.documentElement.dataset.clicked = button?.getAttribute('aria-label') ?? '';
    };
    document.addEventListener('click', keep, { capture: true, once: true });
  });
}

function clickedLabel(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.documentElement.dataset.clicked);
}

/** Picks an item of a row's menu. */
export async function choose(page: Page, title: string, item: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name: item, exact: true });
  const opened = async () => {
    await pressMore(page, title);
    return entry.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
  };
  // A click that opened the menu but timed out runs again and closes it; then try once more.
  await soon(opened).toBe(true);
  await entry.click();
}

export function notice(page: Page, text: string): Locator {
  return page.getByTestId('toast').filter({ hasText: text });
}

/** The accessible name of the focused element, or `body`. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'body';
    return element.getAttribute('aria-label') ?? element.closest('label')?.textContent ?? element.textContent ?? '';
  });
}

/** Gives a user conversations named `Talk 0` (the newest, a moment old) and so on, a minute apart. */
export async function seedTalks(app: App, name: string, count: number): Promise<void> {
  const db = connect(app.database);
  const [user] = await db.query
    .select()
    .from(users)
    .where(eq(users.email, `${name}@example.com`));
  if (!user) throw new Error(`${name} has no account`);
  await db.query.transaction(async (tx) => {
    // No search index: no test searches them, and indexing 100,000 titles takes a minute.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into convos (user_id, id, title, titled_by, endpoint, endpoint_type, model, change_seq, created_at, updated_at)
      select ${user.id}, gen_random_uuid(), 'Talk ' || n, 'model', 'openAI', 'openAI', 'gpt-4', 0, at, at
      from generate_series(0, ${count - 1}) n, lateral (select now() - n * interval '1 minute' as at) as times
    `);
  });
  await db.end();
}
