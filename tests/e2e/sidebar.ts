// The sidebar as a person finds it, and a person with many conversations.
import { connect } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { eq, sql } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import type { App } from './app.ts';
import { action, conversation } from './chat.ts';
import { soon } from './stage.ts';

export function sidebar(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Conversations' });
}

/** The rows of a group, by its heading. */
export function group(page: Page, name: string): Locator {
  return sidebar(page).getByRole('region', { name, exact: true }).getByRole('listitem');
}

/** The titles of the rows that are drawn, from the top. */
export function titles(page: Page): Promise<string[]> {
  return sidebar(page).getByTestId('convo-item').allInnerTexts();
}

/** Presses a button that shows when the pointer is on the row. */
export async function press(page: Page, title: string, name: string): Promise<void> {
  const row = conversation(page, title);
  const button = action(row, `${name} \u2068${title}\u2069`);
  const pressed = async () => {
    await row.hover();
    return button.click({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
  };
  // A row that moves meanwhile has lost the pointer.
  await soon(pressed).toBe(true);
}

/** Chooses from the menu of a row. */
export async function choose(page: Page, title: string, item: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name: item, exact: true });
  const opened = async () => {
    await press(page, title, 'More for');
    return entry.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
  };
  // A press that was not known to be one is done again, and closes the menu.
  await soon(opened).toBe(true);
  await entry.click();
}

export function notice(page: Page, text: string): Locator {
  return page.getByTestId('toast').filter({ hasText: text });
}

/** The name of what has the focus, or `body`. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'body';
    return element.getAttribute('aria-label') ?? element.closest('label')?.textContent ?? element.textContent ?? '';
  });
}

/** Gives a person conversations called `Talk 0` (the newest, a moment old) and so on, a minute apart. */
export async function seedTalks(app: App, name: string, count: number): Promise<void> {
  const db = connect(app.database);
  const [user] = await db.query
    .select()
    .from(users)
    .where(eq(users.email, `${name}@example.com`));
  if (!user) throw new Error(`${name} has no account`);
  await db.query.transaction(async (tx) => {
    // Nobody searches for them, and a hundred thousand titles take a minute to be made searchable.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into convos (user_id, id, title, titled_by, endpoint, endpoint_type, model, change_seq, created_at, updated_at)
      select ${user.id}, gen_random_uuid(), 'Talk ' || n, 'model', 'openAI', 'openAI', 'gpt-4', 0, at, at
      from generate_series(0, ${count - 1}) n, lateral (select now() - n * interval '1 minute' as at) as times
    `);
  });
  await db.end();
}
