// `npm run reset-link -- <email>`: makes a password reset link, for operators whose site sends no mail. It works once,
// for half an hour, and replaces any earlier link.
import { findUserByEmail } from '@parley/server/auth/users';
import { createResetLink, RESET_MINUTES } from '@parley/server/auth/reset/reset-links';
import { loadConfig } from '@parley/server/config';
import { withDatabase } from './with-database.ts';

const [email] = process.argv.slice(2);
try {
  console.log(await makeLink(email));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** @throws Error with one sentence */
async function makeLink(of: string | undefined): Promise<string> {
  if (!of) throw new Error('For whom? Usage: npm run reset-link -- <email>');
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  if (!config.startup.emailLoginEnabled) throw new Error('ALLOW_EMAIL_LOGIN is false: a link would lead nowhere.');
  const link = await withDatabase(config, async (db) => {
    const user = await findUserByEmail(db, of);
    if (!user) throw new Error(`Nobody has an account with the e-mail address ${of}.`);
    return createResetLink(db, config.server, user.id, { mailed: false });
  });
  return `For ${of}, good once within ${RESET_MINUTES} minutes:\n${link}`;
}
