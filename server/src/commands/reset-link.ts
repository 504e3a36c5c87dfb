// `npm run reset-link -- <email>`: makes a password reset link, for operators whose site sends no mail. It works once,
// for half an hour, and replaces any earlier link.
import { findUserByEmail } from '../auth/users.ts';
import { createResetLink, RESET_MINUTES } from '../auth/reset/reset-links.ts';
import { loadConfig } from '../config.ts';
import { withDatabase } from './with-database.ts';

/** @throws Error with one sentence */
export async function makeResetLink([of]: string[], migrations: string): Promise<string> {
  if (!of) throw new Error('For whom? Usage: npm run reset-link -- <email>');
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  if (!config.startup.emailLoginEnabled) throw new Error('ALLOW_EMAIL_LOGIN is false: a link would lead nowhere.');
  const link = await withDatabase(config, migrations, async (db) => {
    const user = await findUserByEmail(db, of);
    if (!user) throw new Error(`Nobody has an account with the e-mail address ${of}.`);
    return createResetLink(db, config.server, user.id, { mailed: false });
  });
  return `For ${of}, good once within ${RESET_MINUTES} minutes:\n${link}`;
}
