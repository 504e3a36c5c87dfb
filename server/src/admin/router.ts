import * as z from 'zod';
import { router } from '../http/trpc.ts';
import { adminProcedure } from './admin-procedure.ts';
import { adminProvidersRouter } from './providers/procedures.ts';
import { listEvents } from './audit-events.ts';

export const adminRouter = router({
  providers: adminProvidersRouter,
  audit: adminProcedure
    .input(z.object({ before: z.int().positive().optional(), userId: z.uuid().optional() }))
    .query(({ ctx, input }) => listEvents(ctx.deps.db, input)),
});
