// Puts a very long conversation into the database, and counts the DOM nodes that the page keeps for it.
import { connect } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { insertThread } from '@parley/scripts/seed/threads';
import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import type { AppFixture } from './app-fixture.ts';
import { thread } from './chat.ts';

/** The node limit, however long the conversation. */
export const NODES_MAX = 3000;

/** Gives a user of the app a thread of `count` messages; `parentAt` adds branches. */
export function threadsOf(stage: AppFixture) {
  return async function insert(
    name: string,
    count: number,
    { parentAt }: { parentAt?: (n: number) => number | null } = {},
  ) {
    const db = connect(stage.app.database, { max: 1 });
    const [user] = await db.query
      .select({ id: users.id })
      .from(users)
      .where(eq(users.email, `${name}@example.com`));
    if (!user) throw new Error(`${name} has no account`);
    const parent = parentAt && ((n: number) => (n === 0 ? null : parentAt(n)));
    const inserted = await insertThread(db, user.id, count, textAt, parent);
    await db.end();
    return inserted;
  };
}

/** Texts of very different heights. */
function textAt(n: number): string {
  const more = Array.from({ length: (n * 7) % 12 }, (_, line) => `- line ${line} of ${n}, which says a little more`);
  return [`Message ${n}.`, ...more].join('\n');
}

export function text(page: Page, start: string): Locator {
  return thread(page).getByText(start).first();
}

export function distance(page: Page): Promise<number> {
  return thread(page).evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
}

/** All DOM nodes: elements, text nodes and the rest. */
export function countNodes(page: Page): Promise<number> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document);
    let count = 1;
    while (walker.nextNode()) count++;
    return count;
  });
}
