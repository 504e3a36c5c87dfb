// A stand-in for the service at RAG_API_URL (LibreChat's rag_api), in memory: it verifies the tokens of users, cuts
// texts at empty lines, and finds by shared words. It reads text only; form feeds end pages, as a reader of PDFs counts
// them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { jwtVerify } from 'jose';
import * as z from 'zod';
import { listenLocally, sendJson } from '../local-server.ts';

export interface FakeRag {
  url: string;
  /** What it has, by file id. */
  files: Map<string, RagFile>;
  /** All calls: `METHOD /path` with the user of the token. */
  calls: { line: string; token: string; userId: string | null; body: unknown }[];
  /** While set, every call but /health is answered with this status. */
  trouble: number | null;
  /** While set, files are indexed once it resolves. */
  embedsAfter: Promise<void> | null;
  /** While set, deletions are answered once it resolves. */
  answersDeletionsAfter: Promise<void> | null;
  close(): Promise<void>;
}

export interface RagFile {
  userId: string;
  name: string;
  passages: { text: string; page: number | null }[];
}

interface Call {
  method: string;
  path: string;
  userId: string;
  request: IncomingMessage;
}

/** Endings of files that it cannot index. */
const UNKNOWN = /\.(exe|bin|doc)$/;
const Query = z.object({ file_id: z.string(), query: z.string(), k: z.number().int().min(1) });

/** `secret` is the JWT_SECRET of the server that calls. */
export async function startFakeRag(secret: string): Promise<FakeRag> {
  const { url, close } = await listenLocally(respond);
  const fake: FakeRag = {
    url,
    files: new Map(),
    calls: [],
    trouble: null,
    embedsAfter: null,
    answersDeletionsAfter: null,
    close,
  };
  return fake;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [method, path] = [request.method ?? '', new URL(request.url ?? '', 'http://localhost').pathname];
    if (path === '/health') return sendJson(response, 200, { status: 'UP' });
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const userId = await userOf(token);
    const call: (typeof fake.calls)[number] = { line: `${method} ${path}`, token, userId, body: null };
    fake.calls.push(call);
    if (userId === null) return sendJson(response, 401, { detail: 'Invalid token' });
    if (fake.trouble !== null) return sendJson(response, fake.trouble, { detail: 'Trouble' });
    if (call.line === 'POST /embed') await fake.embedsAfter;
    const [status, value, body] = await handle(fake.files, { method, path, userId, request });
    call.body = body ?? null;
    if (method === 'DELETE') await fake.answersDeletionsAfter;
    sendJson(response, status, value);
  }

  async function userOf(token: string): Promise<string | null> {
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] });
      // The library of the service refuses a token for another audience.
      return payload.aud === undefined && typeof payload.id === 'string' ? payload.id : null;
    } catch {
      return null;
    }
  }
}

type Files = FakeRag['files'];

function handle(files: Files, call: Call): Promise<[status: number, value: unknown, body?: unknown]> {
  const [, fileId] = /^\/documents\/([^/]+)\/context$/.exec(call.path) ?? [];
  if (call.method === 'POST' && call.path === '/embed') return embed(files, call);
  if (call.method === 'POST' && call.path === '/query') return query(files, call);
  if (call.method === 'DELETE' && call.path === '/documents') return remove(files, call);
  if (call.method === 'GET' && fileId !== undefined) return sendContext(files, call, fileId);
  return Promise.resolve([404, { detail: 'Not Found' }]);
}

async function embed(files: Files, { userId, request }: Call): Promise<[number, unknown]> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(await buffer(request), { headers }).formData();
  const [fileId, file] = [form.get('file_id'), form.get('file')];
  if (typeof fileId !== 'string' || !(file instanceof File)) return [422, { detail: 'Field required' }];
  const told = { file_id: fileId, filename: file.name };
  if (UNKNOWN.test(file.name)) return [200, { status: true, message: 'Unknown type', ...told, known_type: false }];
  const text = await file.text();
  if (text.includes('\0')) return [400, { detail: 'Error during file processing' }];
  files.set(fileId, { userId, name: file.name, passages: cut(text) });
  return [200, { status: true, message: 'File processed successfully.', ...told, known_type: true }];
}

async function query(files: Files, { userId, request }: Call): Promise<[number, unknown, unknown]> {
  const body = Query.parse(await json(request));
  const file = ownFile(files, userId, body.file_id);
  const wanted = new Set(wordsOf(body.query));
  const scored = (file?.passages ?? []).map(({ text, page }) => {
    const shared = wordsOf(text).filter((word) => wanted.has(word)).length;
    const metadata = { file_id: body.file_id, user_id: userId, source: file?.name, ...(page !== null && { page }) };
    return [{ page_content: text, metadata, type: 'Document' }, 1 / (1 + shared)] as const;
  });
  return [200, scored.toSorted(([, a], [, b]) => a - b).slice(0, body.k), body];
}

async function remove(files: Files, { userId, request }: Call): Promise<[number, unknown, unknown]> {
  const ids = z.array(z.string()).parse(await json(request));
  if (!ids.some((id) => ownFile(files, userId, id))) return [404, { detail: 'One or more IDs not found' }, ids];
  for (const id of ids) files.delete(id);
  return [200, { message: `Documents for ${ids.length} files deleted successfully` }, ids];
}

async function sendContext(files: Files, { userId }: Call, fileId: string): Promise<[number, unknown]> {
  const file = ownFile(files, userId, fileId);
  if (!file) return [404, { detail: 'The specified file_id was not found' }];
  return [200, file.passages.map(({ text }) => text).join('\n\n')];
}

function ownFile(files: Files, userId: string, fileId: string): RagFile | undefined {
  const file = files.get(fileId);
  return file?.userId === userId ? file : undefined;
}

function cut(text: string): RagFile['passages'] {
  const pages = text.split('\f');
  return pages.flatMap((page, at) =>
    page
      .split(/\n{2,}/)
      .filter((part) => part.trim() !== '')
      .map((part) => ({ text: part, page: pages.length > 1 ? at : null })),
  );
}

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
}
