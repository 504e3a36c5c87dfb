import { publicProcedure } from '../../http/trpc.ts';
import { refuse } from '../../platform/errors.ts';
import { assertOwnSite } from './cookies.ts';

/** For what sets or reads the cookie: needs an HTTP request (not a websocket) from the site's own origin. */
export const cookieProcedure = publicProcedure.use(({ ctx, next }) => {
  const http = ctx.http ?? refuse({ type: 'forbidden' });
  assertOwnSite(http.headers, ctx.deps.config.server.domainClient);
  return next({ ctx: { http } });
});
