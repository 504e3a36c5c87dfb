// A stand-in for Firebase Storage with one bucket in memory: objects, ranges, listings in pages.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenLocally, sendJson } from '../local-server.ts';

export interface FakeFirebase {
  url: string;
  settings: { bucket: string; apiKey: string; appId: string };
  objects: Map<string, Buffer>;
  close(): Promise<void>;
}

const SETTINGS = { bucket: 'parley.appspot.com', apiKey: 'fake-api-key', appId: '1:2:web:3' };
const BASE = `/v0/b/${SETTINGS.bucket}/o`;
/** Small, so that a few objects already take several pages. */
const PAGE = 2;

export async function startFakeFirebase(): Promise<FakeFirebase> {
  const objects = new Map<string, Buffer>();
  const { url, close } = await listenLocally(async (request, response) =>
    respond(objects, request, await buffer(request), response),
  );
  return { url, settings: SETTINGS, objects, close };
}

type Objects = Map<string, Buffer>;

function respond(objects: Objects, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
  if (request.headers['x-goog-api-key'] !== SETTINGS.apiKey) return sendJson(response, 403, { error: { code: 403 } });
  if (pathname === BASE) {
    if (request.method === 'GET') return list(objects, query, response);
    const name = query.get('name') ?? '';
    objects.set(name, body);
    return sendJson(response, 200, metadataOf(name, body));
  }
  const key = decodeURIComponent(pathname.slice(BASE.length + 1));
  const bytes = objects.get(key);
  if (!pathname.startsWith(`${BASE}/`) || !bytes) return sendJson(response, 404, { error: { code: 404 } });
  if (request.method === 'DELETE') {
    objects.delete(key);
    return void response.writeHead(204).end();
  }
  if (query.get('alt') !== 'media') return sendJson(response, 200, metadataOf(key, bytes));
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined || to === undefined) return void response.writeHead(200).end(bytes);
  response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${bytes.length}` });
  response.end(bytes.subarray(Number(from), Number(to) + 1));
}

function list(objects: Objects, query: URLSearchParams, response: ServerResponse): void {
  const prefix = query.get('prefix') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > (query.get('pageToken') ?? ''));
  const page = keys.toSorted().slice(0, PAGE);
  const items = page.map((name) => ({ name, bucket: SETTINGS.bucket }));
  // Without items, Firebase leaves the list out.
  sendJson(response, 200, {
    ...(items.length > 0 && { items }),
    ...(keys.length > PAGE && { nextPageToken: page.at(-1) }),
  });
}

function metadataOf(name: string, bytes: Buffer) {
  return { name, bucket: SETTINGS.bucket, size: String(bytes.length) };
}
