// The keys that users bring: saved, told until when they are good, removed. What a key is never leaves again.
import { keyNameOf } from '@parley/schema/key-name';
import { KeyRef, SaveKey } from '@parley/schema/keys';
import * as z from 'zod';
import { audit } from '../auth/audit.ts';
import { protectedProcedure, router } from '../trpc.ts';
import { listKeys, removeAllKeys, removeKey } from './keys.ts';
import { saveKey } from './save-key.ts';

/** What is told of a key that does not expire where a date is looked for. */
const FOR_EVER = '9999-12-31T23:59:59.999Z';

export const keysRouter = router({
  /** Every key of this user, and until when it is good. */
  list: protectedProcedure.query(({ ctx }) => listKeys(ctx.deps.db, ctx.user.id)),

  /** Until when this user's own key for an endpoint is good; null when there is none. */
  expiry: protectedProcedure
    .input(z.strictObject({ name: z.string().max(128) }))
    .query(async ({ ctx, input }): Promise<{ expiresAt: string | null }> => {
      const name = keyNameOf(input.name, ctx.deps.config.endpoints.pluginsUseAzure);
      const key = (await listKeys(ctx.deps.db, ctx.user.id)).find((one) => one.name === name);
      return { expiresAt: key ? (key.expiresAt ?? FOR_EVER) : null };
    }),

  /** Keeps a key in the place of an earlier one. */
  save: protectedProcedure.input(SaveKey).mutation(({ ctx, input }) => saveKey(ctx.deps, ctx.user.id, input)),

  /** Forgets the key of an endpoint; also when there is none. */
  remove: protectedProcedure.input(KeyRef).mutation(async ({ ctx, input }) => {
    const name = keyNameOf(input.name, ctx.deps.config.endpoints.pluginsUseAzure);
    await removeKey(ctx.deps.db, ctx.user.id, name);
    audit(ctx.deps, 'key_removed', { userId: ctx.user.id, endpoint: name });
    return null;
  }),

  /** Forgets every key of this user. */
  removeAll: protectedProcedure.mutation(async ({ ctx }) => {
    await removeAllKeys(ctx.deps.db, ctx.user.id);
    audit(ctx.deps, 'keys_removed', { userId: ctx.user.id });
    return null;
  }),
});
