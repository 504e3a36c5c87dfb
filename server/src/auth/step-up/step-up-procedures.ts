// Proving once more who asks, before a sensitive change.
import { StepUp } from '@parley/schema/accounts/factors';
import { elevatedProcedure, limitedOnlineProcedure, onlineProcedure } from './elevated-procedure.ts';
import { router } from '../procedures.ts';
import { passkeyOptions } from '../factors/passkeys/verify-passkey.ts';
import { callerSession, type AuthSession } from '../../platform/requests/auth-session.ts';
import type { output } from 'zod';
import { audit } from '../../platform/audit.ts';
import { refuse } from '../../platform/errors.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { proveFactor, refuseProof } from '../factors/proof.ts';
import { isDirectoryPassword } from '../ldap/directory-password.ts';
import { verifyPassword } from '../password/password-hash.ts';
import { limitCodes, limitSignIn } from '../rate-limits.ts';
import { assertUser } from '../users.ts';
import { elevate, provable } from './elevation.ts';
import type { FactorServices, AuthServices } from '../auth-services.ts';

export const stepUpProcedures = router({
  prove: limitedOnlineProcedure
    .input(StepUp)
    .mutation(({ ctx, input }) => stepUp(ctx.deps, ctx.http, callerSession(ctx), input)),

  /** What a passkey signs for `prove`. */
  options: onlineProcedure.mutation(({ ctx }) => passkeyOptions(ctx.deps, { purpose: 'factor', userId: ctx.user.id })),

  /** Refuses where a proof is needed; for what is no procedure itself, such as the export. */
  check: elevatedProcedure.mutation(() => null),
});

/**
 * Proves who asks, for sensitive changes of the next minutes: with a factor where there is one, else with the password.
 * @throws Refusal `too_many_attempts`, `invalid_credentials`, `wrong_code`, `passkey_refused`, `directory_unreachable`
 */
async function stepUp(
  deps: FactorServices,
  http: Http,
  by: AuthSession,
  { password, ...proof }: output<typeof StepUp>,
): Promise<void> {
  const { passwordHash, hasPassword, kinds } = await provable(deps.db.query, by.userId);
  const hasFactor = kinds.length > 0;
  // First, so that a wrong one uses no code up.
  if (password !== undefined || !hasFactor) await assertPassword(deps, http, by, { passwordHash, password });
  if (hasFactor) {
    await limitCodes(deps, http, by.userId);
    const proven = await proveFactor(deps, { userId: by.userId, ...proof });
    if (!proven) refuseProof(deps, http, by, proof);
    if (proven === 'recovery') audit(deps, 'recovery_code_used', { ...by, ip: http.ip });
  }
  const isBoth = hasFactor && (password !== undefined || !hasPassword);
  await elevate(deps.db.query, by, isBoth ? 'both' : 'step_up');
  audit(deps, 'stepped_up', { ...by, ip: http.ip });
}

async function assertPassword(
  deps: AuthServices,
  http: Http,
  by: AuthSession,
  { passwordHash, password }: { passwordHash: string | null; password: string | undefined },
): Promise<void> {
  const { email } = await assertUser(deps.db, by.userId);
  await limitSignIn(deps, http, email);
  if (await verifyPassword(passwordHash, password ?? '')) return;
  if (await isDirectoryPassword(deps, http, by.userId, { account: email, password: password ?? '' })) return;
  audit(deps, 'step_up_refused', { ...by, ip: http.ip });
  refuse({ type: 'invalid_credentials' });
}
