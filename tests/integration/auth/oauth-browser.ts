// A browser that signs in by another site, one redirect at a time. It keeps the cookies of the site under test.
import type { SignInSite } from '@parley/schema/catalog/sign-in-sites';

export type OAuthBrowser = ReturnType<typeof createOAuthBrowser>;

/** `url` is where the server listens, whatever it calls itself. */
export function createOAuthBrowser(url: string) {
  const cookies = new Map<string, string>();

  async function visit(path: string): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url + path, { redirect: 'manual', headers: cookie ? { cookie } : {} });
    for (const set of response.headers.getSetCookie()) keep(set);
    return response;
  }

  function keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }

  /** As far as the page of the site, answered by the person of this name; where that sends the browser back to. */
  async function leave(site: SignInSite, name: string, search = ''): Promise<URL> {
    const away = locationOf(await visit(`/oauth/${site}${search}`));
    away.searchParams.set('as', name);
    const asked = await fetch(away, { redirect: 'manual' });
    if (asked.status !== 302) throw new Error(`The site says ${asked.status}: ${await asked.text()}`);
    return locationOf(asked);
  }

  const comeBack = (back: URL) => visit(back.pathname + back.search);

  return {
    cookies,
    visit,
    leave,
    comeBack,
    /** The whole way; where the browser ends. */
    async signIn(site: SignInSite, name: string, search = ''): Promise<string> {
      return locationOf(await comeBack(await leave(site, name, search))).href;
    },
    /** Whom the refresh cookie makes this browser; null for nobody. */
    async user(): Promise<Record<string, unknown> | null> {
      const cookie = `refreshToken=${cookies.get('refreshToken') ?? ''}`;
      const response = await fetch(`${url}/api/auth/refresh`, { method: 'POST', headers: { cookie } });
      if (!response.headers.get('content-type')?.includes('json')) return null;
      for (const set of response.headers.getSetCookie()) keep(set);
      const { user } = (await response.json()) as { user: Record<string, unknown> };
      return user;
    },
  };
}

export function locationOf(response: Response): URL {
  const location = response.headers.get('location');
  if (response.status !== 302 || !location) throw new Error(`No redirect, but ${response.status}`);
  return new URL(location);
}
