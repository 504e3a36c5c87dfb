// OAuth routes: /oauth/<provider> redirects to the provider; the callback always redirects back to the app. Disabled
// providers have no routes, and provider code is loaded on the first request.
import { InvitationToken } from '@parley/schema/accounts/registration';
import type { Reason } from '@parley/schema/reasons';
import type { Context, Hono } from 'hono';
import type { SignInSite } from '@parley/schema/catalog/sign-in-sites';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../platform/errors.ts';
import { readHttp, clientIp } from '../../platform/requests/request-info.ts';
import type { HttpEnv } from '../../platform/requests/http-env.ts';
import { logError } from '../../platform/log-error.ts';
import type { Http } from '../../platform/requests/request-info.ts';
import { audit } from '../../platform/audit.ts';
import { OAuthHttpError } from './oauth-http.ts';
import type { OAuthFlow } from './flow.ts';
import type { OAuthServices } from './oauth-sign-in.ts';

export function mountOAuth(hono: Hono<HttpEnv>, deps: OAuthServices): void {
  const { accounts, server } = deps.config;
  for (const site of accounts.sites) mountSite(site);

  function mountSite(site: Config['accounts']['sites'][number]): void {
    const { name, client } = site;
    let flow: Promise<OAuthFlow> | undefined;
    const load = () => (flow ??= import('./flow.ts').then(({ createOAuthFlow }) => createOAuthFlow(deps, site)));

    // Where some clients look for it.
    hono.get(`/api/auth/${name}`, (c) => c.redirect(`/oauth/${name}`));
    hono.get(`/oauth/${name}`, (c) =>
      redirect(c, name, async (http) => (await load()).authorizeUrl(http, invitationIn(c))),
    );
    hono.get(client.callbackPath, (c) =>
      redirect(c, name, async (http) => {
        const { handleCallback } = await load();
        return server.domainClient + (await handleCallback(http, new URL(c.req.url).searchParams));
      }),
    );
  }

  async function redirect(c: Context<HttpEnv>, name: SignInSite, go: (http: Http) => Promise<string>) {
    const headers = new Headers({ 'Cache-Control': 'no-store' });
    const ip = clientIp(deps.config, c.env.incoming);
    const http = readHttp(deps.config, c.req.raw, ip, (header, value) => headers.append(header, value));
    try {
      headers.set('Location', await go(http));
    } catch (error) {
      const reason = reasonOf(name, error);
      audit(deps, 'sign_in_failed', { provider: name, reason: wordOf(reason), ip });
      headers.set('Location', `${server.domainClient}/login?${new URLSearchParams(errorParams(reason))}`);
    }
    return new Response(null, { status: 302, headers });
  }

  function reasonOf(name: SignInSite, error: unknown): Reason {
    if (error instanceof Refusal) return error.reason;
    if (error instanceof OAuthHttpError) {
      deps.log.warn(
        { event: 'oauth.callback_failed', provider: name, why: error.why, message: error.message },
        'A sign-in by another site failed',
      );
      return { type: 'social_login', why: error.why };
    }
    logError(deps.log, error, { event: 'oauth.callback_failed', provider: name });
    return { type: 'unknown', text: '' };
  }
}

/** Of a link by which somebody registers. */
function invitationIn(c: Context<HttpEnv>): string | undefined {
  return InvitationToken.safeParse(c.req.query('invitation')).data;
}

/** The query parameters in which the sign-in screen reads the reason. */
function errorParams(reason: Reason): Record<string, string> {
  return reason.type === 'social_login' ? { error: reason.type, why: reason.why } : { error: reason.type };
}

function wordOf(reason: Reason): string {
  return reason.type === 'social_login' ? reason.why : reason.type;
}
