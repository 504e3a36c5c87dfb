// A stand-in for OpenAI's Files API with one account in memory: uploads by form, contents without ranges, listings in
// pages. It refuses to give back files of the purposes that OpenAI keeps to itself.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenLocally, sendJson } from '../local-server.ts';

export interface FakeOpenAIFiles {
  settings: { apiKey: string; baseURL: string };
  /** The oldest first. */
  files: Map<string, FakeFile>;
  close(): Promise<void>;
}

export interface FakeFile {
  id: string;
  filename: string;
  purpose: string;
  content: Buffer;
}

const API_KEY = 'sk-fake';
/** Small, so that a few files already take several pages; OpenAI's is at most 10,000. */
const PAGE = 2;
const NOT_DOWNLOADABLE = ['assistants', 'user_data'];

export async function startFakeOpenAIFiles(): Promise<FakeOpenAIFiles> {
  const files = new Map<string, FakeFile>();
  const { url, close } = await listenLocally((request, response) => respond(files, request, response));
  return {
    settings: { apiKey: API_KEY, baseURL: `${url}/v1` },
    files,
    close,
  };
}

type Files = Map<string, FakeFile>;

async function respond(files: Files, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
  if (request.headers.authorization !== `Bearer ${API_KEY}`) return refuse(response, 401, 'Incorrect API key');
  const [, id, part] = /^\/v1\/files(?:\/([^/]+))?(?:\/(content))?$/.exec(pathname) ?? [];
  if (id === undefined && request.method === 'POST') return upload(files, request, response);
  if (id === undefined) return list(files, query, response);
  const file = files.get(decodeURIComponent(id));
  if (!file) return refuse(response, 404, 'No such File object');
  if (request.method === 'DELETE') {
    files.delete(file.id);
    return sendJson(response, 200, { id: file.id, object: 'file', deleted: true });
  }
  if (part !== 'content') return sendJson(response, 200, describeFile(file));
  if (NOT_DOWNLOADABLE.includes(file.purpose))
    return refuse(response, 400, `Not allowed to download files of purpose: ${file.purpose}`);
  response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.content);
}

let lastId = 0;

/** A form that does not come whole leaves nothing. */
async function upload(files: Files, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = await new Response(await buffer(request), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData();
  const [blob, purpose] = [form.get('file'), form.get('purpose')];
  if (!(blob instanceof File) || typeof purpose !== 'string') return refuse(response, 400, 'file and purpose needed');
  const id = `file-${String(++lastId).padStart(24, '0')}`;
  const file = { id, filename: blob.name, purpose, content: Buffer.from(await blob.arrayBuffer()) };
  files.set(id, file);
  sendJson(response, 200, describeFile(file));
}

function list(files: Files, query: URLSearchParams, response: ServerResponse): void {
  const all = [...files.values()].filter(({ purpose }) => purpose === (query.get('purpose') ?? purpose));
  const ordered = query.get('order') === 'asc' ? all : all.toReversed();
  const rest = ordered.slice(ordered.findIndex(({ id }) => id === query.get('after')) + 1);
  const data = rest.slice(0, PAGE).map(describeFile);
  sendJson(response, 200, { object: 'list', data, has_more: rest.length > PAGE });
}

function describeFile({ id, filename, purpose, content }: FakeFile): object {
  return { id, object: 'file', filename, purpose, bytes: content.length, created_at: 1_700_000_000 };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error', param: null, code: null } });
}
