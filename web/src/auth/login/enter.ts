import { session } from '../../session/current-session.ts';
import type { api } from '../../trpc.ts';
import { showAccountRestored } from '../notices/account-notices.ts';

type Grant = Awaited<ReturnType<typeof api.auth.login.mutate>>;

/** Signs in with what the server grants, and says so where that has kept an account from being deleted. */
export async function enter(requestGrant: () => Promise<Grant>): Promise<void> {
  let isRestored: boolean | undefined;
  await session.signIn(async () => {
    const grant = await requestGrant();
    ({ isRestored } = grant);
    return grant;
  });
  if (isRestored) showAccountRestored();
}
