// GET /api/connections/start and /callback: a person signs in to the API of an action, or to an MCP server.
import type { Context as HonoContext, Hono } from 'hono';
import { readRefreshToken } from '../platform/requests/cookies.ts';
import { findSessionOfToken } from '../auth/session/sessions.ts';
import { finishFlow, writeFlow } from '../connections/sign-in.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { readHttp, clientIp, type Http } from '../platform/requests/request-info.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import { logError } from '../platform/log-error.ts';
import { consume, ipNetwork } from '../platform/rate-limiter.ts';
import { mcpService as mcpServiceOf } from '../mcp/servers.ts';
import { reasonStatus, reasonText } from '../platform/reasons.ts';
import { connectedPage, failedPage, PAGE_HEADERS } from './connected-page.ts';
import { actionService } from './rows.ts';
import { TokenError } from './tokens.ts';
import type { Actions } from './actions.ts';
import type { Mcp } from '../mcp/mcp.ts';
import type { Secrets } from '../config/parts/secrets.ts';
import type { RequestServices } from '../platform/requests/request-services.ts';

interface ConnectionServices extends RequestServices {
  actions: Actions;
  mcp: Mcp;
  secrets: Secrets;
}

const REQUESTS_PER_MINUTE_MAX = 30;

export function mountConnections(hono: Hono<HttpEnv>, deps: ConnectionServices): void {
  const { refreshSecret } = deps.secrets;
  const kinds = [
    { prefix: actionService(''), signIn: deps.actions.signIn },
    { prefix: mcpServiceOf(''), signIn: deps.mcp.signIn },
  ];
  hono.get('/api/connections/start', (c) =>
    guarded(c, async (http) => {
      const token = readRefreshToken(c.req.raw.headers);
      const session = token
        ? await findSessionOfToken(deps.db, deps.config.accounts.requireSecondFactor, token)
        : undefined;
      const { userId, sid } = session ?? refuse({ type: 'unauthorized' });
      const service = c.req.query('service') ?? '';
      const { prefix, signIn } = kindOf(service);
      const { location, flow } = await signIn.start(userId, service.slice(prefix.length));
      await writeFlow(http, refreshSecret, { ...flow, sid });
      return { location };
    }),
  );
  hono.get('/api/connections/callback', (c) =>
    guarded(c, async (http) => {
      const agreed = await finishFlow(http, refreshSecret, new URL(c.req.url).searchParams);
      // Anyone who has lost the session meanwhile, or was thrown out of it, connects nothing with the account any more.
      if (!(await deps.auth.isSignedIn(agreed.flow))) refuse({ type: 'unauthorized' });
      const target = await kindOf(agreed.flow.service).signIn.finish(agreed);
      return { page: connectedPage(target, c.req.header('accept-language')) };
    }),
  );

  function kindOf(service: string) {
    return kinds.find(({ prefix }) => service.startsWith(prefix)) ?? refuse({ type: 'not_found', what: 'action' });
  }

  async function guarded(
    c: HonoContext<HttpEnv>,
    work: (http: Http) => Promise<{ location: string } | { page: string }>,
  ): Promise<Response> {
    const headers = new Headers({ 'Cache-Control': 'no-store', ...PAGE_HEADERS });
    const ip = clientIp(deps.config, c.env.incoming);
    const http = readHttp(deps.config, c.req.raw, ip, (name, value) => headers.append(name, value));
    try {
      const { allowed, retryAfterSeconds } = await consume(
        deps.db,
        `connect:ip:${ipNetwork(ip)}`,
        REQUESTS_PER_MINUTE_MAX,
        60,
      );
      if (!allowed) refuse({ type: 'too_many_attempts', retryAfterSeconds });
      const response = await work(http);
      if ('page' in response) return new Response(response.page, { headers });
      headers.set('Location', response.location);
      return new Response(null, { status: 302, headers });
    } catch (error) {
      const { status, text } = reported(error, c.var.requestId);
      return new Response(failedPage(text), { status, headers });
    }
  }

  function reported(error: unknown, requestId: string): { status: number; text: string } {
    if (error instanceof Refusal) return { status: reasonStatus(error.reason), text: reasonText(error.reason) };
    if (error instanceof TokenError) return { status: 502, text: `${error.message}.` };
    logError(deps.log, error, { event: 'request.failed', path: 'GET connection', requestId });
    return { status: 502, text: 'The sign-in failed. Try again later.' };
  }
}
