// The mail that tells of a schedule's answer, once for each: an answer ends once, over all processes.
import type { Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { isActive } from '@parley/db/user-rows';
import { and, eq } from 'drizzle-orm';
import { scheduleRunEmail } from '../auth/email-templates.ts';
import type { Config } from '../config/config.ts';
import type { Mail } from '../platform/mail.ts';
import type { AnswerEnd } from './answer-end.ts';

/** Queues the mail; there is none to an account that may not sign in. */
export type MailRun = (end: AnswerEnd, schedule: string) => void;

interface From {
  db: Db;
  config: Config;
  mail: Mail | null;
}

/** Null where no mail server is set up. */
export function createMailRun({ db, config, mail }: From): MailRun | null {
  if (!mail) return null;
  return ({ userId, conversationId, kind, settings }, schedule) =>
    mail.send(async () => {
      const [user] = await db.query
        .select({ email: users.email, name: users.name })
        .from(users)
        .where(and(eq(users.id, userId), isActive));
      if (!user) return null;
      const link = `${config.server.domainClient}/c/${conversationId}`;
      return scheduleRunEmail(config.startup.appTitle, user, {
        link,
        kind,
        schedule: settings.hasTitles ? schedule : null,
      });
    });
}
