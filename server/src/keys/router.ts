import * as z from 'zod';
import { protectedProcedure, router } from '../trpc.ts';

export const keysRouter = router({
  /** Until when this user's own key for an endpoint is good; null when there is none. */
  expiry: protectedProcedure
    .input(z.strictObject({ name: z.string().max(128) }))
    .query((): { expiresAt: string | null } => ({ expiresAt: null })),
});
