/** The OpenAI protocol: chat completions, legacy completions, models, moderations. */
import { asksForTitle, demoTitle, userTextOfTitlePrompt } from '@parley/server/providers/demo/title';
import { readChatRequest, type ChatRequest } from './openai-request.ts';
import { chatDialect, createFrames, textDialect, wholeReply } from './openai-frames.ts';
import type { Dialect } from './openai-frames.ts';
import { isThinkingOfTitle, isSpentOnThinking, refusedByThinking } from './openai-thinking.ts';
import { seenLine } from '../images-seen.ts';
import { isQuestion, toolsOfChat } from '../tools/chat-completions.ts';
import { collect, noContent, streamScript } from '../stream-script.ts';
import { numberFrom, scriptedStream } from '../scenario.ts';
import type { Refusal } from '../scenario.ts';
import type { Choice } from '../scenarios.ts';
import { respondWhole, sendJson } from '../protocol.ts';
import type { FakeCall, Protocol } from '../protocol.ts';

const routes: Record<string, (exchange: FakeCall) => Promise<void>> = {
  'GET /v1/models': listModels,
  'POST /v1/chat/completions': (exchange) => complete(exchange, exchange.request.body, chatDialect),
  'POST /v1/completions': (exchange) => complete(exchange, asChat(exchange.request.body), textDialect),
  'POST /v1/moderations': moderate,
};

export const openai: Protocol = {
  serves: (method, path) => `${method} ${path}` in routes,
  async respond(exchange) {
    await routes[`${exchange.request.method} ${exchange.path}`]?.(exchange);
  },
};

/** Answers a completions call on any path. */
export async function complete(exchange: FakeCall, body: unknown, dialect: Dialect): Promise<void> {
  const { line } = exchange;
  const request = readChatRequest(body);
  if (!request) return sendJson(line, 400, errorBody(badRequest));
  const refused = dialect === chatDialect ? refusedByThinking(request.model, body) : undefined;
  if (refused) return sendJson(line, 400, refused);
  if (isSpentOnThinking(request))
    return streamScript(emptyReply, createFrames(dialect, request, emptyReply, line.record), line);
  const isTitle = asksForTitle({ ...request, isWhole: !request.stream }) || isThinkingOfTitle(request);
  if (isTitle) return giveTitle(exchange, request, dialect);

  const tools = toolsOfChat(body);
  if ('refused' in tools) {
    const { refused: message, param, code = null } = tools;
    return sendJson(line, 400, errorBody({ ...badRequest, message, code }, param));
  }
  const turns = request.messages.map(({ role, text, images = [] }) => ({
    role,
    content: images.length > 0 ? images : text,
  }));
  const { images: seen = [], text = '' } = request.messages.findLast((_, at) => isQuestion(turns, at)) ?? {};
  const question = [...seen.map(({ mime, bytes }) => seenLine(mime, bytes)), text].join('\n');
  const script = exchange.script(exchange.choose(request.model, question), question, tools);
  if (script.kind !== 'stream') return respondWhole(script, line, (refusal) => errorBody(refusal));
  if (request.stream) return streamScript(script, createFrames(dialect, request, script, line.record), line);

  const said = await collect(script, line);
  if (said) sendJson(line, 200, wholeReply(dialect, request, said, script, line.record));
}

const emptyReply = scriptedStream([], { finish: 'length' });

// Titles have three scenarios of their own; the others are for answers.
async function giveTitle(exchange: FakeCall, request: ChatRequest, dialect: Dialect): Promise<void> {
  const { line } = exchange;
  const choice = exchange.choose(request.model, request.messages.map(({ text }) => text).join('\n'));
  exchange.request.scenario = choice.name.endsWith('-title') ? choice.name : 'title';
  if (choice.name === 'fail-title') return sendJson(line, 500, errorBody(titleRefusal));
  if (choice.name === 'slow-title') await line.pause(numberFrom(choice.arg, 3_000));
  const text = titleText(choice, request);
  const script = scriptedStream([{ type: 'text', text }]);
  if (request.stream) return streamScript(script, createFrames(dialect, request, script, line.record), line);
  sendJson(line, 200, wholeReply(dialect, request, { ...noContent(), text, deltas: 1 }, script, line.record));
}

function titleText(choice: Choice, request: ChatRequest): string {
  if (choice.name === 'bad-title') return `<!DOCTYPE html>\n${'<h1>"Bad" Title</h1>\n'.repeat(500)}`;
  return demoTitle(userTextOfTitlePrompt(request.messages));
}

// A legacy prompt holds the conversation as `||>Name:` blocks; the last one is the assistant's empty turn.
export function asChat(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('prompt' in body)) return undefined;
  const blocks = String(body.prompt)
    .split('||>')
    .map((block) => block.replace(/^[^\n:]{0,40}:\s*/, '').trim());
  const question = blocks.findLast((block) => block !== '') ?? '';
  return { ...body, messages: [{ role: 'user', content: question }] };
}

async function listModels(exchange: FakeCall): Promise<void> {
  const demanded = exchange.demanded();
  if (demanded && demanded.kind !== 'stream')
    return respondWhole(demanded, exchange.line, (refusal) => errorBody(refusal));
  const ids = [
    'gpt-3.5-turbo',
    'gpt-4',
    'gpt-4-turbo-preview',
    ...exchange.scenarioNames.map((name) => `fake:${name}`),
  ];
  const data = ids.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'fake' }));
  sendJson(exchange.line, 200, { object: 'list', data });
}

async function moderate(exchange: FakeCall): Promise<void> {
  const demanded = exchange.demanded();
  if (demanded && demanded.kind !== 'stream')
    return respondWhole(demanded, exchange.line, (refusal) => errorBody(refusal));
  const flagged = JSON.stringify(exchange.request.body ?? '').includes('[[flagged]]');
  const result = { flagged, categories: { violence: flagged }, category_scores: { violence: flagged ? 0.99 : 0.01 } };
  sendJson(exchange.line, 200, { id: 'modr-fake', model: 'text-moderation-007', results: [result] });
}

function errorBody(
  { message, type, code }: Pick<Refusal, 'message' | 'type' | 'code'>,
  param: string | null = null,
): unknown {
  return { error: { message, type, param, code } };
}

const badRequest = { message: "'messages' must be a list of messages.", type: 'invalid_request_error', code: null };

const titleRefusal = { message: 'No title today.', type: 'server_error', code: null };
