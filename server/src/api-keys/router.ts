// Procedures for a person's keys for programs.
import { ApiKeyRef, CreateApiKey } from '@parley/schema/accounts/api-keys';
import { audit } from '../platform/audit.ts';
import { callerSession } from '../platform/requests/auth-session.ts';
import { assertElevated } from '../auth/step-up/elevation.ts';
import { withServices } from '../http/trpc.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import type { KeyHolders } from './key-holders.ts';
import type { Config } from '../config/config.ts';
import { refuse } from '../platform/errors.ts';

const { protectedProcedure, router } = withServices<{ keyHolders: KeyHolders }>();

const elevatedProcedure = protectedProcedure.use(async ({ ctx, next }) => {
  await assertElevated(ctx.deps.db.query, callerSession(ctx));
  return next();
});

export const apiKeysRouter = router({
  /** The keys that are not revoked, without their values, and what each has spent in this month. */
  list: protectedProcedure.query(({ ctx }) => listApiKeys(ctx.deps.db, ctx.user.id)),

  /** The only time that the key itself is seen. */
  create: elevatedProcedure.input(CreateApiKey).mutation(async ({ ctx, input }) => {
    assertMayMakeKeys(ctx.deps.config);
    const made = await createApiKey(ctx.deps.db, ctx.user.id, input);
    audit(ctx.deps, 'api_key_made', { userId: ctx.user.id, key: made.id });
    return made;
  }),

  /** Ends a key for ever, within five seconds in every process. One that is gone is no error. */
  revoke: protectedProcedure.input(ApiKeyRef).mutation(async ({ ctx, input }) => {
    const isRevoked = await revokeApiKey(ctx.deps.db, ctx.user.id, input.id);
    ctx.deps.keyHolders.invalidateUser(ctx.user.id);
    if (isRevoked) audit(ctx.deps, 'api_key_revoked', { userId: ctx.user.id, key: input.id });
    return null;
  }),
});

/**
 * Anyone who makes a key passes here: what an administrator forbids belongs here.
 * @throws Refusal `conflict` where the operator allows no keys
 */
function assertMayMakeKeys({ accounts }: Pick<Config, 'accounts'>): void {
  if (!accounts.allowApiKeys) refuse({ type: 'conflict', text: 'Keys for programs are switched off on this server' });
}
