// What several domains do with conversations, under one name for clients.
import { keepTemporaryRouter } from './chat/router.ts';
import { storedConvosRouter } from './convos/router.ts';
import { convoFoldersRouter } from './folders/router.ts';
import { forksRouter } from './forks/router.ts';
import { mergeRouters, type Mountable, withServices } from './http/trpc.ts';
import { searchRouter } from './search/router.ts';
import type { Deps } from './services.ts';
import { trashRouter } from './trash/router.ts';
import { tracked } from '@trpc/server';
import * as z from 'zod';
import { limitSubscriptions } from './http/open-calls.ts';
import { followChanges } from './feed/follow-changes.ts';
import type { LiveEndpoints } from './catalog/live/live-endpoints.ts';
import type { PubSub } from './platform/pubsub.ts';
import type { WrittenConvos } from './convos/written-convos.ts';

const { protectedProcedure, router } = withServices<{
  endpoints: LiveEndpoints;
  pubsub: PubSub;
  writtenConvos: WrittenConvos;
}>();

const Changes = z.strictObject({ lastEventId: z.string().max(20).nullish() });

/** Stands in `convos`. */
const feedRouter = router({
  /** Streams the changes of this user's conversations after the last one seen. */
  changes: protectedProcedure.input(Changes.optional()).subscription(async function* ({ ctx, input, signal = never }) {
    const after = input?.lastEventId ? Number(input.lastEventId) : null;
    const changes = followChanges(ctx.deps, ctx.user.id, Number.isSafeInteger(after) ? after : null, signal);
    for await (const change of limitSubscriptions(ctx, changes)) yield tracked(String(change.seq), change);
  }),
});

const never = new AbortController().signal;

const parts = [
  storedConvosRouter,
  convoFoldersRouter,
  keepTemporaryRouter,
  forksRouter,
  trashRouter,
  searchRouter,
  feedRouter,
] as const satisfies readonly Mountable<Deps>[string][];

export const convosRouter = mergeRouters(...parts);
