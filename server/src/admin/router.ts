import * as z from 'zod';
import { router } from '../http/trpc.ts';
import { adminProcedure } from './admin-procedure.ts';
import { listEvents } from './audit-events.ts';
import { peopleProcedures } from './people/people-procedures.ts';

export const adminRouter = router({
  people: peopleProcedures,
  audit: adminProcedure
    .input(z.object({ before: z.int().positive().optional(), userId: z.uuid().optional() }))
    .query(({ ctx, input }) => listEvents(ctx.deps.db, input)),
});
