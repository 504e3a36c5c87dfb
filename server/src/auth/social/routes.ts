// Signing in by another site: /oauth/<provider> leads there, and its callback back to the app, whatever happens. What is
// switched off has no path, and nothing of it is loaded before somebody goes there.
import type { HttpBindings } from '@hono/node-server';
import type { Reason } from '@parley/schema/reasons';
import type { Context, Hono } from 'hono';
import type { SocialProvider } from '../../config/social.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../errors.ts';
import { httpOf, ipOf } from '../../http.ts';
import { reportFault } from '../../report.ts';
import type { Http } from '../../trpc.ts';
import { audit } from '../audit.ts';
import { ProviderFault } from './call.ts';
import type { Travel } from './travel.ts';

type Bindings = { Bindings: HttpBindings };

export function mountSocial(hono: Hono<Bindings>, deps: Deps): void {
  const { accounts, server } = deps.config;
  for (const name of Object.keys(accounts.social) as SocialProvider[]) {
    const login = accounts.social[name];
    if (login.enabled) mountProvider(name, login.callbackPath);
  }

  function mountProvider(name: SocialProvider, callbackPath: string): void {
    let travel: Promise<Travel> | undefined;
    const load = () => (travel ??= import('./travel.ts').then(({ createTravel }) => createTravel(deps, name)));

    hono.get(`/oauth/${name}`, (c) => redirect(c, name, async (http) => (await load()).setOut(http)));
    hono.get(callbackPath, (c) =>
      redirect(c, name, async (http) => {
        const { comeBack } = await load();
        return server.domainClient + (await comeBack(http, new URL(c.req.url).searchParams));
      }),
    );
  }

  async function redirect(c: Context<Bindings>, name: SocialProvider, go: (http: Http) => Promise<string>) {
    const headers = new Headers({ 'Cache-Control': 'no-store' });
    const ip = ipOf(deps.config, c.env.incoming);
    const http = httpOf(deps.config, c.req.raw, ip, (header, value) => headers.append(header, value));
    try {
      headers.set('Location', await go(http));
    } catch (error) {
      const reason = reasonOf(name, error);
      audit(deps, 'sign_in_failed', { provider: name, reason: wordOf(reason), ip });
      headers.set('Location', `${server.domainClient}/login?${new URLSearchParams(told(reason))}`);
    }
    return new Response(null, { status: 302, headers });
  }

  function reasonOf(name: SocialProvider, error: unknown): Reason {
    if (error instanceof Refusal) return error.reason;
    if (error instanceof ProviderFault) {
      deps.log.warn({ provider: name, fault: error.message }, 'a provider could not say who came');
      return { type: 'social_login', why: error.why };
    }
    reportFault(deps.log, error instanceof Error ? error : new Error(String(error)), `/oauth/${name}`);
    return { type: 'unknown', text: '' };
  }
}

/** As the sign-in screen reads it in its address. */
function told(reason: Reason): Record<string, string> {
  return reason.type === 'social_login' ? { error: reason.type, why: reason.why } : { error: reason.type };
}

function wordOf(reason: Reason): string {
  return reason.type === 'social_login' ? reason.why : reason.type;
}
