// The second step of a sign-in: a code or a passkey for the ticket that the right password, or another site, gave.
import type { ProveFactor } from '@parley/schema/accounts/factors';
import type { FactorKind } from '@parley/schema/reasons';
import type { output } from 'zod';
import { audit } from '../../platform/audit.ts';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { assertNetworkNotBanned } from '../network-bans.ts';
import { limitCodes } from '../rate-limits.ts';
import { enterAccount } from '../session/enter-account.ts';
import type { SessionResponse } from '../session/issue-session.ts';
import { assertUser } from '../users.ts';
import { passkeyOptions } from './passkeys/verify-passkey.ts';
import { proveFactor, refuseProof } from './proof.ts';
import { consumeTicket, ownerOfTicket, tryTicket } from './sign-in-tickets.ts';
import type { FactorServices, AuthServices } from '../auth-services.ts';

/**
 * @throws Refusal `sign_in_again`, `too_many_attempts`, `wrong_code`, `passkey_refused`, `banned`, `account_disabled`,
 * `account_waiting`
 */
export async function secondStep(
  deps: FactorServices,
  http: Http,
  { ticket, ...given }: output<typeof ProveFactor>,
): Promise<SessionResponse> {
  if (deps.config.bans.enabled) await assertNetworkNotBanned(deps.db, http.ip);
  const userId = await tryTicket(deps.db, ticket);
  if (userId === undefined) refuse({ type: 'sign_in_again' });
  await limitCodes(deps, http, userId);
  const proof = (await proveFactor(deps, { userId, ...given })) ?? refuseProof(deps, http, { userId }, given);
  if (proof === 'recovery') audit(deps, 'recovery_code_used', { userId, ip: http.ip });
  const user = await assertUser(deps.db, userId);
  return enterAccount(deps, http, user, async (tx) => {
    // A change of the password takes the tickets away.
    if (!(await consumeTicket(tx, ticket))) refuse({ type: 'sign_in_again' });
  });
}

/** What a passkey signs in this step. @throws Refusal `sign_in_again` */
export async function secondStepOptions(deps: AuthServices, ticket: string) {
  const userId = (await ownerOfTicket(deps.db, ticket)) ?? refuse({ type: 'sign_in_again' });
  return passkeyOptions(deps, { purpose: 'factor', userId });
}

/** The sign-in page in this step, after a sign-in by another site. No server and no log sees what follows the `#`. */
export function secondStepPath(ticket: string, kinds: readonly FactorKind[]): string {
  return `/login#${new URLSearchParams({ ticket, kinds: kinds.join(',') })}`;
}
