import type { MiddlewareHandler } from 'hono';
import type { Config } from './config.ts';

const POLICY = (icons: string[]) => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  ["img-src 'self' data: blob:", ...icons].join(' '),
  "font-src 'self'",
  "connect-src 'self' ws: wss:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];
/** Where Bing makes pictures: an answer of its may hold a frame of that page. */
const PICTURES = 'frame-src https://www.bing.com/images/create https://www.bing.com/images/create/';

/** What every answer tells the browser not to do. */
export function securityHeaders(config: Config): MiddlewareHandler {
  const { server, endpoints } = config;
  const policy = [...POLICY(iconOrigins(config)), ...(endpoints.bingAI.enabled ? [PICTURES] : [])].join('; ');
  const headers: [string, string][] = [
    ['Content-Security-Policy', policy],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
  ];
  if (server.domainClient.startsWith('https:'))
    headers.push(['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']);
  if (server.noIndex) headers.push(['X-Robots-Tag', 'noindex']);
  return async (c, next) => {
    await next();
    for (const [name, value] of headers) c.res.headers.set(name, value);
  };
}

/** Where the pictures of custom endpoints come from, other than from here. */
function iconOrigins({ server, endpoints }: Config): string[] {
  const here = server.domainClient;
  const icons = endpoints.custom.flatMap(({ iconURL }) =>
    iconURL !== undefined && URL.canParse(iconURL, here) ? [new URL(iconURL, here)] : [],
  );
  const elsewhere = icons.filter(
    ({ protocol, origin }) => /^https?:$/.test(protocol) && origin !== new URL(here).origin,
  );
  return [...new Set(elsewhere.map(({ origin }) => origin))];
}
