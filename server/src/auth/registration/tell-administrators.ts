// Tells administrators by mail that somebody waits for their approval.
import type { Db } from '@parley/db/client';
import { metadata } from '@parley/db/tables/metadata';
import { users } from '@parley/db/tables/users';
import { isActive } from '@parley/db/user-rows';
import { and, asc, eq, lt } from 'drizzle-orm';
import { waitingEmail } from '../email-templates.ts';
import type { Mail } from '../../platform/mail.ts';
import type { Config } from '../../config/config.ts';

const TOLD_AT = 'administrators told of who waits';
const AT_MOST_EVERY_MS = 60 * 60_000;
const ADMINISTRATORS_MAX = 50;

/** At most once an hour, over all processes: the page has everybody who waits. */
export function tellAdministrators(
  { db, mail, config }: { db: Db; mail: Mail | null; config: Config },
  now = new Date(),
): void {
  mail?.send(async () => {
    if (!(await isDue(db, now))) return null;
    const people = await db.query
      .select({ email: users.email, name: users.name })
      .from(users)
      .where(and(eq(users.role, 'ADMIN'), isActive))
      .orderBy(asc(users.createdAt))
      .limit(ADMINISTRATORS_MAX);
    const link = `${config.server.domainClient}/admin/people`;
    const letters = people.map((person) => waitingEmail(config.startup.appTitle, person, link));
    for (const letter of letters.slice(1)) mail.send(async () => letter);
    return letters[0] ?? null;
  });
}

/** Notes that they are told now. */
async function isDue({ query }: Pick<Db, 'query'>, now: Date): Promise<boolean> {
  const value = now.toISOString();
  const before = new Date(now.getTime() - AT_MOST_EVERY_MS).toISOString();
  const noted = await query
    .insert(metadata)
    .values({ name: TOLD_AT, value })
    .onConflictDoUpdate({ target: metadata.name, set: { value }, setWhere: lt(metadata.value, before) })
    .returning({ name: metadata.name });
  return noted.length > 0;
}
