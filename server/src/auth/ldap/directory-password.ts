// Passwords that the operator's directory knows: at sign-in, and where somebody proves once more who they are.
import { identities } from '@parley/db/tables/users';
import { and, eq } from 'drizzle-orm';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { linkAccount } from '../oauth/link-account.ts';
import { giveBackSignIn } from '../rate-limits.ts';
import type { UserRow } from '../users.ts';
import { askDirectory, DirectoryFault, type Wanted } from './directory.ts';
import type { AuthServices } from '../auth-services.ts';
import type { Profile } from '../../config/parts/sign-in-sites.ts';

/** The namespace of its ids among identities, and what accounts that it makes are by. */
export const DIRECTORY = 'ldap';

/** What a try is counted by. */
interface Try {
  account: string;
  password: string;
}

/**
 * The account of anyone who has this name and password in the directory, made at the first sign-in. Undefined for wrong
 * ones, and without a directory.
 * @throws Refusal `directory_unreachable`, `password_expired`, and as `linkAccount`
 */
export async function signInByDirectory(deps: AuthServices, http: Http, tried: Try): Promise<UserRow | undefined> {
  const person = await ask(deps, http, { login: tried.account }, tried);
  if (!person) return undefined;
  const identity = { provider: DIRECTORY, subject: person.subject };
  const isKnown = await deps.directoryWatch.letIn(identity);
  const { user } = await linkAccount(deps, { name: DIRECTORY, identity, person });
  if (!isKnown) await deps.directoryWatch.letIn(identity);
  if (person.rights) await deps.followRights(user, person.rights, DIRECTORY);
  return user;
}

/** @throws Refusal `directory_unreachable`, `password_expired` */
export async function isDirectoryPassword(
  deps: AuthServices,
  http: Http,
  userId: string,
  tried: Try,
): Promise<boolean> {
  const [row] = await deps.db.query
    .select({ id: identities.subject })
    .from(identities)
    .where(and(eq(identities.userId, userId), eq(identities.provider, DIRECTORY)));
  return row !== undefined && (await ask(deps, http, row, tried)) !== null;
}

async function ask(
  deps: AuthServices,
  http: Http,
  wanted: Wanted,
  { account, password }: Try,
): Promise<Profile | null> {
  const { ldap } = deps.config.accounts;
  if (!ldap) return null;
  try {
    return await askDirectory(ldap, wanted, password, (what) => deps.log.warn({ event: 'directory.odd' }, what));
  } catch (error) {
    if (!(error instanceof DirectoryFault)) throw error;
    deps.log.warn({ event: 'directory.failed', message: error.message }, 'The directory cannot be asked');
    // Nothing was guessed: who tries while it is away, or an office behind one address, is not locked out afterwards.
    await giveBackSignIn(deps, http, account);
    return refuse({ type: 'directory_unreachable' });
  }
}
