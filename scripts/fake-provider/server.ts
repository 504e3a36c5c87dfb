/** Handles requests: records them, finds protocol and scenario, and counts unfinished answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { anthropic } from './protocols/anthropic.ts';
import { azure } from './protocols/azure.ts';
import { bing } from './protocols/bing.ts';
import { chatGPT } from './protocols/chatgpt.ts';
import { cohere } from './protocols/cohere.ts';
import { google } from './protocols/google/google.ts';
import { embeddings } from './embeddings.ts';
import { speech } from './speech.ts';
import { createConnection } from './connection.ts';
import { ollama } from './protocols/ollama.ts';
import { openai } from './protocols/openai.ts';
import { openAIPictures } from './protocols/openai-pictures.ts';
import { openRouter } from './protocols/openrouter.ts';
import { createRecorder, type RecordedRequest, type Recorder } from './record.ts';
import type { Script, Scenario } from './scenario.ts';
import { chooseScenario, scenarios, scriptOf, type Choice } from './scenarios.ts';
import { responses } from './protocols/responses/responses.ts';
import { strangers } from './protocols/strangers/strangers.ts';
import { together } from './protocols/together.ts';
import { sendJson, type FakeCall, type Protocol } from './protocol.ts';

const protocols: Protocol[] = [
  anthropic,
  ...google,
  openAIPictures,
  embeddings,
  speech,
  azure,
  cohere,
  bing,
  chatGPT,
  ollama,
  openRouter,
  together,
  responses,
  strangers,
  openai,
];

export type ServerState = {
  known: Map<string, Scenario>;
  recorder: Recorder;
  /** The unfinished requests. */
  open: Set<RecordedRequest>;
  /** How often each scenario got the same question. */
  attempts: Map<string, number>;
  /** The conversations that protocols keep. */
  conversations: Map<string, string>;
};

export function createServerState(): ServerState {
  const known = new Map<string, Scenario>(Object.entries(scenarios));
  return { known, recorder: createRecorder(), open: new Set(), attempts: new Map(), conversations: new Map() };
}

/** Resolves when the answer has ended in any way. */
export async function serve(state: ServerState, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = message.method ?? 'GET';
  const { pathname, search: query } = new URL(message.url ?? '/', 'http://fake');
  const body = await readBody(message);
  if (pathname.startsWith('/control/')) return control(state, method, pathname, response);

  const { prefix, path } = scenarioPath(pathname);
  const request = state.recorder.add({ method, path: pathname, query, headers: message.headers, body });
  const line = createConnection(response, request);
  const protocol = protocols.find((candidate) => candidate.serves(method, path, message.headers));
  if (!protocol) return sendJson(line, 404, { error: { message: `Unknown request URL: ${method} ${pathname}` } });

  const refused = refusedKey(request);
  if (refused) return sendJson(line, refused.status, refused.body);
  state.open.add(request);
  response.on('close', () => state.open.delete(request));
  await protocol.respond(createCall(state, request, path, prefix, line));
}

/** The path, and the scenario in its `/as/<scenario>` prefix. */
export function scenarioPath(pathname: string): { prefix: string | undefined; path: string } {
  const [, prefix, path = pathname] = /^\/as\/([^/]+)(\/.*)$/.exec(pathname) ?? [];
  return { prefix, path };
}

/** Clears the records, the counts and the kept conversations. */
export function clear({ recorder, attempts, conversations }: ServerState): void {
  recorder.clear();
  attempts.clear();
  conversations.clear();
}

/** The protocol's view of a recorded request. */
export function createCall(
  state: ServerState,
  request: RecordedRequest,
  path: string,
  rawPrefix: string | undefined,
  line: FakeCall['line'],
): FakeCall {
  const header = request.headers['x-scenario']?.toString();
  const prefix = rawPrefix && decodeURIComponent(rawPrefix);
  const choose = (model: string, text: string) => chooseScenario({ header, prefix, model, text }, state.known);
  return {
    request,
    path,
    line,
    scenarioNames: [...state.known.keys()],
    conversations: state.conversations,
    choose,
    script: (choice, question, tools) => {
      request.tools = tools;
      return scriptFor(state, choice, question, request);
    },
    demanded: () => ((header ?? prefix) ? scriptFor(state, choose('', ''), '', request) : undefined),
  };
}

function scriptFor(
  { known, attempts }: ServerState,
  { name, arg }: Choice,
  question: string,
  request: RecordedRequest,
): Script {
  request.scenario = arg === undefined ? name : `${name}:${arg}`;
  const key = `${request.scenario}|${question}`;
  const attempt = attempts.get(key) ?? 0;
  attempts.set(key, attempt + 1);
  const { tools, body } = request;
  return scriptOf(known.get(name) ?? scenarios.plain, { question, arg, attempt, tools, body });
}

// Lets another process read this one's records.
function control(state: ServerState, method: string, path: string, response: ServerResponse): void {
  if (`${method} ${path}` === 'POST /control/clear') clear(state);
  const found = ['/control/requests', '/control/clear'].includes(path);
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ openStreams: state.open.size, requests: state.recorder.requests }));
}

async function readBody(message: IncomingMessage): Promise<unknown> {
  const text = await readText(message);
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The status and body of the refusal; undefined for a right key. */
function refusedKey({ headers }: RecordedRequest): { status: number; body: unknown } | undefined {
  const bearer = /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1];
  const [ofAnthropic, ofGoogle, ofAzure] = ['x-api-key', 'x-goog-api-key', 'api-key'].map((name) => headers[name]);
  const key = [bearer, ofAnthropic, ofGoogle, ofAzure].find((one) => one?.toString().startsWith('sk-wrong'));
  if (key === undefined) return undefined;
  if (key === ofAnthropic)
    return {
      status: 401,
      body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
    };
  if (key === ofGoogle) return { status: 400, body: ofGemini };
  if (key === ofAzure) return { status: 401, body: { error: { code: '401', message: azureWords } } };
  // OpenAI masks most of the key; some that follow it do not.
  const message = `Incorrect API key provided: ${String(key)}. You can find your API key at https://platform.openai.com/account/api-keys.`;
  return {
    status: 401,
    body: { error: { message, type: 'invalid_request_error', param: null, code: 'invalid_api_key' } },
  };
}

const ofGemini = {
  error: {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
    ],
  },
};

const azureWords =
  'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.';
