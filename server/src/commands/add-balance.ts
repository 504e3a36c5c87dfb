// `npm run add-balance <email> <amount>`: adds credits to an account, in the database that `npm start` uses. A million
// credits are one US dollar.
import { CREDITS_MAX } from '@parley/schema/accounts/people';
import { addBalance as giveCredits } from '../admin/people/change-person.ts';
import { findUserByEmail } from '../auth/users.ts';
import { loadConfig } from '../config.ts';
import { operatorCommand } from '../config/operator-command.ts';
import { withDatabase } from './with-database.ts';

const DEFAULT_AMOUNT = '1000';

/** @throws Error with one sentence */
export async function addBalance([to, written = DEFAULT_AMOUNT]: string[], migrations: string): Promise<string> {
  if (!to) throw new Error(`Whose balance? Usage: ${operatorCommand('add-balance', '<email> <amount>')}`);
  const credits = creditsIn(written);
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const after = await withDatabase(config, migrations, async (db) => {
    const user = await findUserByEmail(db, to);
    if (!user) throw new Error(`Nobody has an account with the e-mail address ${to}.`);
    return giveCredits({ db, config, actor: null }, user.id, credits);
  });
  const hint = config.startup.checkBalance ? '' : ' Nothing is charged until CHECK_BALANCE is true.';
  return `${to} was given ${credits} credits and now has ${after}.${hint}`;
}

function creditsIn(written: string): number {
  const credits = /^\d{1,10}$/.test(written) ? Number(written) : 0;
  if (credits >= 1 && credits <= CREDITS_MAX) return credits;
  throw new Error(`The amount must be a whole number of credits from 1 to ${CREDITS_MAX}, not "${written}".`);
}
