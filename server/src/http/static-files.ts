// Serves the built web app: files with a hash in their name are immutable; the page is revalidated on each load and
// contains the startup data.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, resolve, sep } from 'node:path';
import type { Context, Hono } from 'hono';
import type { StartupConfig } from '@parley/schema/catalog/startup';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { toWebStream } from './web-stream.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
const FOR_EVER = 'public, max-age=31536000, immutable';
const MANIFEST = '/manifest.webmanifest';
const STARTUP_MARK = '<!--startup-->';

export function serveWeb(hono: Hono<HttpEnv>, folder: string, startup: () => Promise<StartupConfig>): void {
  const root = resolve(folder);
  const page = existsSync(join(root, 'index.html')) ? readFileSync(join(root, 'index.html'), 'utf8') : null;
  hono.get(MANIFEST, async (c, next) => (await respondManifest(c)) ?? next());
  hono.get('*', (c) => respondFile(c, root) ?? respondPage(c));
  hono.all('*', (c) => respondPage(c));

  /** The installed app has the title that the operator chose. */
  async function respondManifest(c: Context): Promise<Response | null> {
    const file = join(root, MANIFEST);
    if (!isFile(file)) return null;
    const name = (await startup()).appTitle;
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const body = JSON.stringify({ ...Object(manifest), name, short_name: name });
    return c.body(body, 200, { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'no-cache' });
  }

  /** Serves the page for every path that is no API call; an unknown API path gets the page with status 404. */
  async function respondPage(c: Context): Promise<Response> {
    const isPage =
      ['GET', 'HEAD'].includes(c.req.method) && !/^\/(api|trpc|images|assets|pdf|artifact)(\/|$)/.test(c.req.path);
    const status = isPage ? 200 : 404;
    if (!isPage && isApiCall(c)) return c.json({ message: 'This address does not exist.' }, 404);
    if (page === null) return c.text('The web app is not built: run npm run build.', status);
    const data = JSON.stringify(await startup()).replaceAll('<', '\\u003c');
    const html = page.replace(STARTUP_MARK, () => `<script type="application/json" id="startup">${data}</script>`);
    // Who has the link may read; search engines have it from somebody, but nobody meant them.
    const robots = c.req.path.startsWith('/share/') ? { 'X-Robots-Tag': 'noindex' } : {};
    return c.html(html, status, { 'Cache-Control': 'no-cache', ...robots });
  }
}

/** Clients of the API read JSON; who opens its address in a browser sees the app's page. */
function isApiCall(c: Context): boolean {
  return /^\/api(\/|$)/.test(c.req.path) && !(c.req.header('accept') ?? '').includes('text/html');
}

function respondFile(c: Context, root: string): Response | null {
  const path = resolve(root, `.${safeDecode(c.req.path)}`);
  if (!path.startsWith(root + sep) || path.endsWith('index.html') || !isFile(path)) return null;
  const accepted = c.req.header('accept-encoding') ?? '';
  const [encoding, suffix] = ENCODINGS.find(([name, end]) => accepted.includes(name) && isFile(path + end)) ?? [
    null,
    '',
  ];
  const headers = {
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Content-Length': String(statSync(path + suffix).size),
    'Cache-Control': cachingOf(c.req.path),
    Vary: 'Accept-Encoding',
    ...(encoding && { 'Content-Encoding': encoding }),
  };
  return c.body(toWebStream(createReadStream(path + suffix)), 200, headers);
}

/** The files of diagrams have no hash in their names, and one is large; those of PDFs are in a folder by version. */
function cachingOf(path: string): string {
  if (/^\/(assets|pdf|artifact\/parts)\//.test(path)) return FOR_EVER;
  return path.startsWith('/diagram/') ? 'public, max-age=86400' : 'no-cache';
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // The system refuses names that are too long for it.
    return false;
  }
}

function safeDecode(path: string): string {
  try {
    const decoded = decodeURIComponent(path);
    // No file name contains NUL, and the system call would throw.
    return decoded.includes('\0') ? '/' : decoded;
  } catch {
    return '/';
  }
}
