import { PushSubscriptionInput, PushTargetRef, TakeNotice, WatchNotices } from '@parley/schema/notices/notices';
import { limitSubscriptions } from '../http/open-calls.ts';
import { withServices } from '../http/trpc.ts';
import type { Encryption } from '../keys/encryption.ts';
import { refuse } from '../platform/errors.ts';
import type { Notices } from './notices.ts';
import type { Push } from './open-notices.ts';
import { assertSubscription } from './push/check-subscription.ts';
import { addTarget, listTargets, removeTarget } from './push/targets.ts';

const { protectedProcedure, router } = withServices<{
  notices: Notices;
  push: Push | null;
  encryption: Encryption;
}>();

const never = new AbortController().signal;

/** @throws Refusal `forbidden` where push is off: nothing is read then */
const pushProcedure = protectedProcedure.use(({ ctx, next }) =>
  next({ ctx: { push: ctx.deps.push ?? refuse({ type: 'forbidden' }) } }),
);

export const noticesRouter = router({
  /** Tells what a page shows as long as it lasts, and yields the notices that are offered to it. */
  watch: protectedProcedure.input(WatchNotices).subscription(async function* ({ ctx, input, signal = never }) {
    yield* limitSubscriptions(ctx, ctx.deps.notices.watch(ctx.user.id, input, signal));
  }),

  /** Whether the page may show a notice: false for one that another page got meanwhile. */
  take: protectedProcedure.input(TakeNotice).mutation(({ ctx, input }) => ctx.deps.notices.take(ctx.user.id, input)),

  /** The key that a browser subscribes with, and the devices of this person. */
  devices: pushProcedure.query(async ({ ctx }) => ({
    publicKey: ctx.push.publicKey,
    devices: await listTargets(ctx.deps.db, { userId: ctx.user.id, sid: ctx.user.sid }),
  })),

  addDevice: pushProcedure.input(PushSubscriptionInput).mutation(({ ctx, input }) => {
    assertSubscription(input, ctx.push.hosts);
    const session = { userId: ctx.user.id, sid: ctx.user.sid };
    return addTarget(ctx.deps.db, ctx.deps.encryption, session, input, ctx.client?.userAgent ?? '');
  }),

  removeDevice: pushProcedure
    .input(PushTargetRef)
    .mutation(({ ctx, input }) => removeTarget(ctx.deps.db, ctx.user.id, input.id)),

  /** Sends a notice to this device; false where its push service did not take it. */
  tryDevice: pushProcedure.mutation(({ ctx }) => ctx.push.tryOut(ctx.user.id, ctx.user.sid)),
});
