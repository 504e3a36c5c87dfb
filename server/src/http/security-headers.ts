// Security headers, with the Content-Security-Policy.
import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config/config.ts';

const POLICY = (icons: string[]) => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  ["img-src 'self' data: blob:", ...icons].join(' '),
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];
/** The frame that draws diagrams, and its files. */
const DIAGRAMS = '/diagram/';
/** The frames that show what an answer has made, still or running, and their files. */
const ARTIFACTS = '/artifact/';
const RUNNING = '/artifact/frame.html';
/** No network, no storage, no other window; styles are part of drawings and pages. */
const FRAME_POLICY = (folder: string, site: string, host = site) => {
  const here = HOST.test(host) ? `http://${host}${folder} https://${host}${folder}` : '';
  return [
    "default-src 'none'",
    `script-src ${here}`,
    `style-src 'unsafe-inline' ${here}`,
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ');
};
/**
 * The same for what runs: its own scripts, ours, and forms, which are never sent. Text becomes markup or a script only by
 * what `public/artifact/frame.js` allows.
 */
const RUNNING_POLICY = (site: string, host = site) => {
  const here = HOST.test(host) ? `http://${host}${ARTIFACTS} https://${host}${ARTIFACTS}` : '';
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' 'unsafe-eval' blob: ${here}`,
    `style-src 'unsafe-inline' ${here}`,
    'img-src data: blob:',
    'font-src data:',
    'media-src data: blob:',
    'worker-src blob:',
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-forms',
    "require-trusted-types-for 'script'",
    'trusted-types default parse',
  ].join('; ');
};
/**
 * All that the running frame and every frame and worker within it may connect to, by whatever way: requests, navigations,
 * connections that are only prepared, and calls between browsers, none of which a policy stops. Chromium knows it since 152.
 * `unlisted.css` is in the folder and not in the list, by which the frame knows whether its browser keeps to it.
 */
const RUNNING_CONNECTIONS = (site: string, host = site) => {
  if (!HOST.test(host)) return '()';
  const files = ['*.js', 'frame.css'].flatMap((file) =>
    ['http', 'https'].map((scheme) => `"${scheme}://${host}${ARTIFACTS}${file}"`),
  );
  return `(${files.join(' ')}); webrtc=block; redirects=block`;
};
/** The worker that reads PDFs, and its parts. */
const PDFS = '/pdf/';
/** It decodes scanned pages by WebAssembly, which no page may do; it makes no program from text and reaches only this server. */
const PDF_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
/** Bing's image creator: an answer may contain a frame of that page. */
const PICTURES = 'https://www.bing.com/images/create https://www.bing.com/images/create/';

/** Sets the security headers of every response. */
export function securityHeaders(config: Config): MiddlewareHandler {
  const { server, endpoints, speech } = config;
  const frames = ['frame-src', "'self'", ...(endpoints.bingAI.enabled ? [PICTURES] : [])].join(' ');
  const media = (speech.stt ?? speech.tts) ? ["media-src 'self' blob:"] : [];
  const policy = [...POLICY(iconOrigins(config)), ...media, frames].join('; ');
  const site = new URL(server.domainClient).host;
  const headers: [string, string][] = [
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Permissions-Policy', `camera=(), geolocation=(), microphone=(${speech.stt ? 'self' : ''}), payment=(), usb=()`],
  ];
  if (server.domainClient.startsWith('https:'))
    headers.push(['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']);
  if (server.noIndex) headers.push(['X-Robots-Tag', 'noindex']);
  return async (c, next) => {
    await next();
    for (const [name, value] of headers) c.res.headers.set(name, value);
    const folder = [DIAGRAMS, ARTIFACTS].find((one) => c.req.path.startsWith(one));
    if (folder) {
      const host = c.req.header('host');
      const isRunning = c.req.path === RUNNING;
      const framed = isRunning ? RUNNING_POLICY(site, host) : FRAME_POLICY(folder, site, host);
      c.res.headers.set('Content-Security-Policy', framed);
      if (isRunning) c.res.headers.set('Connection-Allowlist', RUNNING_CONNECTIONS(site, host));
      // The frame has no origin, so that even its own files come from another one.
      c.res.headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
    }
    if (c.req.path.startsWith(PDFS)) c.res.headers.set('Content-Security-Policy', PDF_POLICY);
    if (!c.res.headers.has('Content-Security-Policy'))
      c.res.headers.set('Content-Security-Policy', `${policy}; ${connectSources(site, c.req.header('host'))}`);
    if (isResponse(c.res.headers) && !c.res.headers.has('Cache-Control'))
      c.res.headers.set('Cache-Control', 'no-store');
  };
}

/** Older browsers do not apply 'self' to websockets. */
function connectSources(site: string, host = site): string {
  const hosts = new Set(HOST.test(host) ? [site, host] : [site]);
  return ["connect-src 'self'", ...[...hosts].flatMap((one) => [`ws://${one}`, `wss://${one}`])].join(' ');
}

const HOST = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?$/i;

/** API responses must not be cached; static files set their own cache headers. */
function isResponse(headers: Headers): boolean {
  return /^application\/(?:json|x-ndjson)\b/.test(headers.get('Content-Type') ?? '');
}

/** Origins of custom endpoints' icons on other hosts. */
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
