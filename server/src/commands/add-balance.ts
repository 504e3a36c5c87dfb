// Tests of this room: tests/integration/scripts.

// `npm run add-balance <email> <amount>`: adds credits to an account, in the database that `npm start` uses. A million
// credits are one US dollar.
import type { Db } from '@parley/db/client';
import { CREDITS_MAX } from '@parley/schema/accounts/people';
import { addBalance as giveCredits } from '../admin/people/change-person.ts';
import { findUserByEmail } from '../auth/users.ts';
import { loadConfig } from '../load-config.ts';
import { operatorCommand } from '../config/operator-command.ts';
import { NO_OPERATOR, type Operator } from '../config/operator.ts';
import type { Command } from './run-command.ts';
import { withDatabase } from './with-database.ts';

const DEFAULT_AMOUNT = '1000';
const ARGS = '<email> <amount>';

export const addBalanceCommand: Command = {
  args: ARGS,
  help: `Adds credits to an account, ${DEFAULT_AMOUNT} unless an amount is given. A million credits are one US dollar.`,
  whenStopped: 'Look at the balance before you run it again: the credits may have been added.',
  run: addBalance,
};

/** @throws Error with one sentence */
async function addBalance(
  [to, written = DEFAULT_AMOUNT]: string[],
  migrations: string,
  operator: Operator = NO_OPERATOR,
): Promise<string> {
  if (!to) throw new Error(`Whose balance? Usage: ${operatorCommand('add-balance', ARGS)}`);
  const credits = creditsIn(written);
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const give = async (db: Db) => {
    const user = await findUserByEmail(db, to);
    if (!user) throw new Error(`Nobody has an account with the e-mail address ${to}.`);
    return giveCredits({ db, config, actor: null }, user.id, credits);
  };
  const after = await withDatabase(config, migrations, give, operator);
  const hint = config.startup.checkBalance ? '' : ' Nothing is charged until CHECK_BALANCE is true.';
  return `${to} was given ${credits} credits and now has ${after}.${hint}`;
}

function creditsIn(written: string): number {
  const credits = /^\d{1,10}$/.test(written) ? Number(written) : 0;
  if (credits >= 1 && credits <= CREDITS_MAX) return credits;
  throw new Error(`The amount must be a whole number of credits from 1 to ${CREDITS_MAX}, not "${written}".`);
}
