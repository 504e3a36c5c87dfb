// Procedures for users' provider keys: save, list with expiry, remove. A key's value never leaves the server again.
import { keyNameOf } from '@parley/schema/accounts/key-name';
import { KeyRef, SaveKey } from '@parley/schema/accounts/keys';
import * as z from 'zod';
import { audit } from '../platform/audit.ts';
import { withServices } from '../http/trpc.ts';
import { hasKeys, listKeys, listKeyUses, removeAllKeys, removeKey } from './keys.ts';
import { saveKey, type KeyServices } from './save-key.ts';

const { protectedProcedure, router } = withServices<KeyServices>();

/** Means "never" to clients that expect a date. */
const NEVER_EXPIRES = '9999-12-31T23:59:59.999Z';

export const keysRouter = router({
  /** This user's keys with their expiry. */
  list: protectedProcedure.query(({ ctx }) => listKeys(ctx.deps.db, ctx.user.id)),

  /** When each of them was used last, by name. */
  uses: protectedProcedure.query(({ ctx }) =>
    listKeyUses(ctx.deps.db, ctx.user.id, ctx.deps.config.endpoints.pluginsUseAzure),
  ),

  /** The expiry of this user's key for an endpoint; null when there is none. */
  expiry: protectedProcedure
    .input(z.strictObject({ name: z.string().max(128) }))
    .query(async ({ ctx, input }): Promise<{ expiresAt: string | null }> => {
      const name = keyNameOf(input.name, ctx.deps.config.endpoints.pluginsUseAzure);
      const key = (await listKeys(ctx.deps.db, ctx.user.id)).find((one) => one.name === name);
      return { expiresAt: key ? (key.expiresAt ?? NEVER_EXPIRES) : null };
    }),

  save: protectedProcedure.input(SaveKey).mutation(({ ctx, input }) => saveKey(ctx.deps, ctx.user.id, input)),

  /** Removes the key of an endpoint, if there is one. */
  remove: protectedProcedure.input(KeyRef).mutation(async ({ ctx, input }) => {
    const name = keyNameOf(input.name, ctx.deps.config.endpoints.pluginsUseAzure);
    await removeKey(ctx.deps.db, ctx.user.id, name);
    audit(ctx.deps, 'key_removed', { userId: ctx.user.id, endpoint: name });
    return null;
  }),

  /** Whether this user has anything that `removeAll` removes, which is more than the keys of endpoints. */
  hasAny: protectedProcedure.query(({ ctx }) => hasKeys(ctx.deps.db, ctx.user.id)),

  removeAll: protectedProcedure.mutation(async ({ ctx }) => {
    await removeAllKeys(ctx.deps.db, ctx.user.id);
    audit(ctx.deps, 'keys_removed', { userId: ctx.user.id });
    return null;
  }),
});
