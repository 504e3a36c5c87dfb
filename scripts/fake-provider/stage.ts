/** Takes requests in: hears them, finds the wire and the scenario, and keeps count of what is still being answered. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { anthropic } from './anthropic.ts';
import { azure } from './azure.ts';
import { bing } from './bing.ts';
import { chatGPT } from './chatgpt.ts';
import { cohere } from './cohere.ts';
import { gemini } from './gemini.ts';
import { createLine } from './line.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import { openRouter } from './openrouter.ts';
import { createRecorder } from './record.ts';
import type { RecordedRequest, Recorder } from './record.ts';
import type { Play, Scenario } from './scenario.ts';
import { chooseScenario, scenarios } from './scenarios.ts';
import type { Choice } from './scenarios.ts';
import { together } from './together.ts';
import { vertex } from './vertex.ts';
import { sendJson } from './wire.ts';
import type { Exchange, Wire } from './wire.ts';

const wires: Wire[] = [anthropic, gemini, vertex, azure, cohere, bing, chatGPT, ollama, openRouter, together, openai];

export type Stage = {
  known: Map<string, Scenario>;
  recorder: Recorder;
  /** The requests that are still being answered. */
  open: Set<RecordedRequest>;
  /** How often each scenario was asked the same question. */
  attempts: Map<string, number>;
  /** The conversations that the wires keep themselves. */
  kept: Map<string, string>;
};

export function createStage(): Stage {
  const known = new Map<string, Scenario>(Object.entries(scenarios));
  return { known, recorder: createRecorder(), open: new Set(), attempts: new Map(), kept: new Map() };
}

/** Resolves when the answer has ended, however it did. */
export async function serve(stage: Stage, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = message.method ?? 'GET';
  const { pathname, search: query } = new URL(message.url ?? '/', 'http://fake');
  const body = await readBody(message);
  if (pathname.startsWith('/control/')) return control(stage, method, pathname, response);

  const { prefix, path } = placeOf(pathname);
  const request = stage.recorder.add({ method, path: pathname, query, headers: message.headers, body });
  const line = createLine(response, request);
  const wire = wires.find((candidate) => candidate.serves(method, path, message.headers));
  if (!wire) return sendJson(line, 404, { error: { message: `Unknown request URL: ${method} ${pathname}` } });

  stage.open.add(request);
  response.on('close', () => stage.open.delete(request));
  await wire.answer(createExchange(stage, request, path, prefix, line));
}

/** The path, and the scenario that stands before it as `/as/<scenario>`. */
export function placeOf(pathname: string): { prefix: string | undefined; path: string } {
  const [, prefix, path = pathname] = /^\/as\/([^/]+)(\/.*)$/.exec(pathname) ?? [];
  return { prefix, path };
}

/** Forgets what was heard and how often, and all conversations that were kept. */
export function clear({ recorder, attempts, kept }: Stage): void {
  recorder.clear();
  attempts.clear();
  kept.clear();
}

/** What a wire sees of a request that the recorder has heard. */
export function createExchange(
  stage: Stage,
  request: RecordedRequest,
  path: string,
  rawPrefix: string | undefined,
  line: Exchange['line'],
): Exchange {
  const header = request.headers['x-scenario']?.toString();
  const prefix = rawPrefix && decodeURIComponent(rawPrefix);
  const choose = (model: string, text: string) => chooseScenario({ header, prefix, model, text }, stage.known);
  return {
    request,
    path,
    line,
    scenarioNames: [...stage.known.keys()],
    kept: stage.kept,
    choose,
    play: (choice, question) => play(stage, choice, question, request),
    demanded: () => ((header ?? prefix) ? play(stage, choose('', ''), '', request) : undefined),
  };
}

function play({ known, attempts }: Stage, { name, arg }: Choice, question: string, request: RecordedRequest): Play {
  request.scenario = arg === undefined ? name : `${name}:${arg}`;
  const key = `${request.scenario}|${question}`;
  const attempt = attempts.get(key) ?? 0;
  attempts.set(key, attempt + 1);
  return (known.get(name) ?? scenarios.plain).play({ question, arg, attempt });
}

// Lets another process read what this one heard.
function control(stage: Stage, method: string, path: string, response: ServerResponse): void {
  if (`${method} ${path}` === 'POST /control/clear') clear(stage);
  const found = ['/control/requests', '/control/clear'].includes(path);
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ openStreams: stage.open.size, requests: stage.recorder.requests }));
}

async function readBody(message: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk);
  if (chunks.length === 0) return undefined;
  const text = Buffer.concat(chunks).toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
