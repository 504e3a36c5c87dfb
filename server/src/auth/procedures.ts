// The procedures of accounts, which find there the services that accounts use.
import { withServices } from '../http/trpc.ts';
import { refuse } from '../platform/errors.ts';
import type { FactorServices } from './auth-services.ts';
import { assertOwnSite } from '../platform/requests/cookies.ts';

export const { router, createCallerFactory, publicProcedure, protectedProcedure, limitedProcedure } =
  withServices<FactorServices>();

/** For what sets or reads the cookie: needs an HTTP request (not a websocket) from the site's own origin. */
export const cookieProcedure = publicProcedure.use(({ ctx, next }) => {
  const http = ctx.http ?? refuse({ type: 'forbidden' });
  assertOwnSite(http.headers, ctx.deps.config.server.domainClient);
  return next({ ctx: { http } });
});
