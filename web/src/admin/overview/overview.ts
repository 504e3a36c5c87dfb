import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@parley/server/router';

export type Overview = inferRouterOutputs<AppRouter>['admin']['overview'];
