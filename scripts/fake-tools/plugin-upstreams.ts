// Stand-ins for the services behind plugins and the search of the web, on one port, with the paths and shapes that they
// document. Words of the question choose a fault: see `FAULTS`. All requests are recorded.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { asFields } from '@parley/schema/json';
import { listenLocally, sendJson } from '../local-server.ts';

export interface UpstreamRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  /** Parsed; null without a body. */
  body: Record<string, unknown> | null;
}

export interface PluginUpstreams {
  url: string;
  /** In their order. */
  requests: UpstreamRequest[];
  /** How many requests were given up by their sender before they were answered. */
  abandoned(): number;
  /** The models that the images API lists. */
  models: string[];
  close(): Promise<void>;
}

const LATE_MS = 300;

/** Words that a request contains, and what the service does then. */
const FAULTS = {
  /** Refuses, and repeats the key. */
  'fake:refuse': (request: UpstreamRequest, response: ServerResponse) =>
    send(response, 401, { error: `The key ${keyIn(request)} is not valid` }),
  'fake:hang': () => {},
  /** Answers as usual, after a while. */
  'fake:late': (request: UpstreamRequest, response: ServerResponse, upstreams: Upstreams) =>
    void setTimeout(() => respond(request, response, upstreams), LATE_MS),
  'fake:html': (_: UpstreamRequest, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome</body></html>'),
  'fake:redirect': (_: UpstreamRequest, response: ServerResponse) =>
    void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  'fake:large': (_: UpstreamRequest, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(' '.repeat(50 * 1024 * 1024)),
  'fake:no-picture': (_: UpstreamRequest, response: ServerResponse) =>
    send(response, 200, { data: [{ b64_json: Buffer.from('no picture').toString('base64') }] }),
  'fake:reset': (_: UpstreamRequest, response: ServerResponse) => void response.destroy(),
};

/** An image of one pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Handler = (request: UpstreamRequest, upstreams: Upstreams) => unknown;
type Upstreams = Pick<PluginUpstreams, 'url' | 'models'>;

/** By method and path; what they return is sent as JSON, text as it is. */
const ROUTES: Readonly<Record<string, Handler>> = {
  'POST /live/predict': () => ({
    data: { response_text: 'The tower is 330 m high.', web_url: ['https://tower.example/height'] },
  }),
  'GET /customsearch/v1': ({ query }) => ({
    kind: 'customsearch#search',
    items: [
      { title: `About ${query.q}`, link: 'https://one.example/', snippet: 'First\n words.' },
      { title: 'Second', link: 'https://two.example/page' },
    ].slice(0, Number(query.num)),
  }),
  'GET /api/v1/llm-api': ({ query }) => `Query:\n"${query.input}"\n\nResult:\n42`,
  'POST /commands': ({ body }) => ({ stdout: `ran ${String(body?.command)}`, stderr: '' }),
  'GET /files': ({ query }) => `text of ${query.path}`,
  'PUT /files': () => ({ ok: true }),
  'POST /repl': ({ body }) => ({ result: `evaluated ${String(body?.code)}` }),
  'POST /command': ({ body }) => ({ result: `ran ${String(body?.command)}` }),
  'GET /search': ({ query }) => (query.format === 'json' ? searxng(query) : serpapi(query)),
  'POST /search': ({ body }) => ({
    query: body?.query,
    ...(body?.include_answer === true && { answer: 'It is 330 m high.' }),
    ...(body?.include_images === true && { images: ['https://img.example/tower.jpg'] }),
    results: [{ title: 'Tower', url: 'https://tower.example/', content: 'A tower of iron.', score: 0.9 }],
  }),
  'GET /res/v1/web/search': () => ({
    type: 'search',
    web: { results: [{ title: 'Tower', url: 'https://tower.example/', description: 'A <strong>tower</strong>.' }] },
  }),
  'GET /v1/models': (_, { models }) => ({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }),
  'POST /v1/images/generations': image,
  'POST /openai/deployments/pictures/images/generations': image,
  'POST /sdapi/v1/txt2img': () => ({ images: [PNG], parameters: {}, info: '{}' }),
  'GET /api/v1/exposed/': () => ({ results: [{ id: '01ABC', description: 'Gmail: Send Email', params: {} }] }),
  'POST /api/v1/exposed/01ABC/execute/': ({ body }) => ({ status: 'success', result: { done: body?.instructions } }),
  'POST /indexes/papers/docs/search': ({ body }) => ({
    value: body?.search === 'nothing' ? [] : [{ '@search.score': 1.5, id: '1', title: 'On towers' }],
  }),
};

export async function startPluginUpstreams(): Promise<PluginUpstreams> {
  const requests: UpstreamRequest[] = [];
  const models = ['gpt-4', 'dall-e-3'];
  const upstreams = { url: '', models };
  let abandoned = 0;
  const { url, close } = await listenLocally(async (incoming, response) => {
    response.on('close', () => {
      if (!response.headersSent) abandoned++;
    });
    const request = await readRequest(incoming);
    requests.push(request);
    respondUpstream(request, response, upstreams);
  });
  upstreams.url = url;
  return { url, requests, abandoned: () => abandoned, models, close };
}

function respondUpstream(request: UpstreamRequest, response: ServerResponse, upstreams: Upstreams): void {
  const said = JSON.stringify([request.query, request.body]);
  for (const [word, fault] of Object.entries(FAULTS))
    if (said.includes(word)) return fault(request, response, upstreams);
  respond(request, response, upstreams);
}

function respond(request: UpstreamRequest, response: ServerResponse, upstreams: Upstreams): void {
  const handler = ROUTES[`${request.method} ${request.path}`] ?? page(request);
  if (!handler) return send(response, 404, { error: 'There is no such path' });
  send(response, 200, handler(request, upstreams));
}

/** Pages of the web, for what reads them. */
function page({ path }: UpstreamRequest): Handler | null {
  if (path === '/picture.png') return () => Buffer.from(PNG, 'base64');
  if (path !== '/page') return null;
  const filler = Array.from({ length: 400 }, (_, n) => `<p>Paragraph ${n} tells of nothing in particular at all.</p>`);
  return () =>
    `<!doctype html><title>Towers</title><h1>Towers</h1><script>secret()</script>${filler.join('')}` +
    '<h2>Height</h2><p>The lighthouse of Pharos was over one hundred metres high.</p>';
}

function serpapi({ q }: Record<string, string>) {
  return {
    answer_box: { answer: '330 m' },
    organic_results: [{ position: 1, title: `About ${q}`, link: 'https://one.example/', snippet: 'Words.' }],
  };
}

function searxng({ q }: Record<string, string>) {
  return { query: q, results: [{ title: 'Tower', url: 'https://tower.example/', content: 'Iron.' }] };
}

function image({ body }: UpstreamRequest, { url }: Upstreams) {
  if (String(body?.prompt).includes('by address')) return { created: 1, data: [{ url: `${url}/picture.png` }] };
  return { created: 1, data: [{ b64_json: PNG, revised_prompt: `A careful picture of ${String(body?.prompt)}` }] };
}

function keyIn({ query, headers, body }: UpstreamRequest): unknown {
  const header = headers['x-api-key'] ?? headers['api-key'] ?? headers['x-subscription-token'] ?? headers.authorization;
  return query.key ?? query.api_key ?? query.appid ?? body?.api_key ?? header ?? '?';
}

async function readRequest(incoming: IncomingMessage): Promise<UpstreamRequest> {
  const { pathname: path, searchParams } = new URL(incoming.url ?? '', 'http://localhost');
  const text = await readText(incoming);
  const body = text === '' ? null : asFields(JSON.parse(text));
  return {
    method: incoming.method ?? '',
    path,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers,
    body,
  };
}

function send(response: ServerResponse, status: number, value: unknown): void {
  if (Buffer.isBuffer(value)) return void response.writeHead(status, { 'content-type': 'image/png' }).end(value);
  if (typeof value !== 'string') return sendJson(response, status, value);
  const type = value.startsWith('<!doctype') ? 'text/html; charset=utf-8' : 'text/plain';
  response.writeHead(status, { 'content-type': type }).end(value);
}
