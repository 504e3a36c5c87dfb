import { router } from '../http/trpc.ts';
import { adminProcedure } from './admin-procedure.ts';
import { adminAccessRouter, adminGroupsRouter } from './groups/procedures.ts';
import { adminProvidersRouter } from './providers/procedures.ts';
import { readOverview } from './overview/overview.ts';
import { ListEvents, listEvents } from './audit-events.ts';
import { peopleProcedures } from './people/people-procedures.ts';
import { adminRetentionRouter } from './retention/procedures.ts';
import { adminToolsRouter } from './tools/procedures.ts';
import { adminUsageRouter } from './usage/procedures.ts';

export const adminRouter = router({
  /** How the server is. */
  overview: adminProcedure.query(({ ctx }) => readOverview(ctx.deps)),

  providers: adminProvidersRouter,
  tools: adminToolsRouter,
  people: peopleProcedures,
  groups: adminGroupsRouter,
  access: adminAccessRouter,
  usage: adminUsageRouter,
  retention: adminRetentionRouter,
  audit: adminProcedure.input(ListEvents).query(({ ctx, input }) => listEvents(ctx.deps.db, input)),
});
