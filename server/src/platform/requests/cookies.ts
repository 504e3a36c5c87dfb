// The refresh cookie and its CSRF check: it is the only credential that browsers attach by themselves.
import { refuse } from '../errors.ts';

const NAME = 'refreshToken';
/** Over https: a browser accepts it only from this host itself, so no neighbor of its domain can plant one. */
const HOST_NAME = `__Host-${NAME}`;
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

interface CookieResponse {
  secure: boolean;
  setHeader(name: string, value: string): void;
}

/** Undefined when the request has none. The plain name is that of http, and of https in earlier versions. */
export function readRefreshToken(headers: Headers): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const read = (name: string) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return read(HOST_NAME) || read(NAME) || undefined;
}

export function setRefreshCookie(response: CookieResponse, domainClient: string, token: string, expiresAt: Date): void {
  const isSecure = isHttps(response, domainClient);
  setCookie(response, isSecure ? HOST_NAME : NAME, token, isSecure, expiresAt);
}

export function clearRefreshCookie(response: CookieResponse, domainClient: string): void {
  const isSecure = isHttps(response, domainClient);
  for (const name of isSecure ? [HOST_NAME, NAME] : [NAME]) setCookie(response, name, '', isSecure, new Date(0));
}

function setCookie(response: CookieResponse, name: string, value: string, isSecure: boolean, expiresAt: Date): void {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Expires=${expiresAt.toUTCString()}`];
  response.setHeader('Set-Cookie', [`${name}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; '));
}

function isHttps(response: CookieResponse, domainClient: string): boolean {
  return response.secure || domainClient.startsWith('https://');
}

/**
 * CSRF check: another site can make a browser send a form, but neither our header nor our origin, and the browser says
 * in Sec-Fetch-Site whose page it is, which holds behind a proxy that names another host. Non-browser clients send no
 * Origin and pass.
 * @throws Refusal `forbidden`
 */
export function assertOwnSite(headers: Headers, domainClient: string): void {
  if (headers.get('x-app') !== null || headers.get('sec-fetch-site') === 'same-origin') return;
  const [origin, host] = [headers.get('origin') ?? undefined, headers.get('host') ?? undefined];
  if (isOwnOrigin(origin, host, domainClient)) return;
  // A client under development has a port of its own, whose server passes its calls on to ours.
  const isLocal = [origin, `http://${host}`, domainClient].every((address) => isLoopback(address));
  if (!isLocal) refuse({ type: 'forbidden' });
}

function isLoopback(address: string | undefined): boolean {
  return !!address && URL.canParse(address) && LOOPBACK.has(new URL(address).hostname);
}

/** Whether the origin is this site's, or absent. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, domainClient: string): boolean {
  if (origin === undefined) return true;
  const own = URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
  return own || origin.toLowerCase() === (URL.canParse(domainClient) ? new URL(domainClient).origin : undefined);
}
