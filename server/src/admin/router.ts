import type { Budgets } from '../billing/budgets/budgets.ts';
import type { Mountable } from '../http/trpc.ts';
import { adminProcedures } from './admin-procedure.ts';
import { adminAccessRouter, adminGroupsRouter } from './groups/procedures.ts';
import { adminProvidersRouter } from './providers/procedures.ts';
import type { ProviderServices } from './providers/change-provider.ts';
import { readOverview, type OverviewServices } from './overview/overview.ts';
import { ListEvents, listEvents } from './audit-events.ts';
import { peopleProcedures, type PeopleServices } from './people/people-procedures.ts';
import { adminRetentionRouter } from './retention/procedures.ts';
import { adminToolsRouter } from './tools/procedures.ts';
import type { ToolServices } from './tools/write-tool.ts';
import { adminUsageRouter } from './usage/procedures.ts';

interface AdminServices extends OverviewServices, PeopleServices, ProviderServices, ToolServices {
  budgets: Budgets;
}

const { adminProcedure, router } = adminProcedures<AdminServices>();

const sections = {
  providers: adminProvidersRouter,
  tools: adminToolsRouter,
  people: peopleProcedures,
  groups: adminGroupsRouter,
  access: adminAccessRouter,
  usage: adminUsageRouter,
  retention: adminRetentionRouter,
} satisfies Mountable<AdminServices>;

export const adminRouter = router({
  ...sections,
  /** How the server is. */
  overview: adminProcedure.query(({ ctx }) => readOverview(ctx.deps)),

  audit: adminProcedure.input(ListEvents).query(({ ctx, input }) => listEvents(ctx.deps.db, input)),
});
