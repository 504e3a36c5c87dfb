/** The OpenAI wire: chat completions, legacy completions, models, moderations. */
import { asksForTitle, titleOf, userTextOfTitlePrompt } from '@parley/server/endpoints/demo/title';
import type { ChatRequest } from '@parley/server/endpoints/demo/request';
import { lastUserText, readChatRequest } from '@parley/server/endpoints/demo/request';
import { chatDialect, createFrames, textDialect, wholeAnswer } from './openai-frames.ts';
import type { Dialect } from './openai-frames.ts';
import { isThinkingOfTitle, isThoughtAway, refusedByThinking } from './openai-thinking.ts';
import { collect, nothingSaid, perform } from './perform.ts';
import { numberFrom, speech } from './scenario.ts';
import type { Refusal } from './scenario.ts';
import type { Choice } from './scenarios.ts';
import { playOther, sendJson } from './wire.ts';
import type { Exchange, Wire } from './wire.ts';

const routes: Record<string, (exchange: Exchange) => Promise<void>> = {
  'GET /v1/models': listModels,
  'POST /v1/chat/completions': (exchange) => complete(exchange, exchange.request.body, chatDialect),
  'POST /v1/completions': (exchange) => complete(exchange, asChat(exchange.request.body), textDialect),
  'POST /v1/moderations': moderate,
};

export const openai: Wire = {
  serves: (method, path) => `${method} ${path}` in routes,
  async answer(exchange) {
    await routes[`${exchange.request.method} ${exchange.path}`]?.(exchange);
  },
};

/** Answers a completions call, by whichever path it came. */
export async function complete(exchange: Exchange, body: unknown, dialect: Dialect): Promise<void> {
  const { line } = exchange;
  const request = readChatRequest(body);
  if (!request) return sendJson(line, 400, errorBody(badRequest));
  const refused = dialect === chatDialect ? refusedByThinking(request.model, body) : undefined;
  if (refused) return sendJson(line, 400, refused);
  if (isThoughtAway(request)) return perform(wordless, createFrames(dialect, request, wordless), line);
  if (asksForTitle(request) || isThinkingOfTitle(request)) return giveTitle(exchange, request, dialect);

  const question = lastUserText(request.messages);
  const play = exchange.play(exchange.choose(request.model, question), question);
  if (play.kind !== 'speech') return playOther(play, line, errorBody);
  if (request.stream) return perform(play, createFrames(dialect, request, play), line);

  const said = await collect(play, line);
  if (said) sendJson(line, 200, wholeAnswer(dialect, request, said, play));
}

const wordless = speech([], { finish: 'length' });

// A title has its own three scenarios; the others are about answers.
async function giveTitle(exchange: Exchange, request: ChatRequest, dialect: Dialect): Promise<void> {
  const { line } = exchange;
  const choice = exchange.choose(request.model, request.messages.map(({ text }) => text).join('\n'));
  exchange.request.scenario = choice.name.endsWith('-title') ? choice.name : 'title';
  if (choice.name === 'fail-title') return sendJson(line, 500, errorBody(titleRefusal));
  if (choice.name === 'slow-title') await line.pause(numberFrom(choice.arg, 3_000));
  const text = titleText(choice, request);
  const play = speech([{ type: 'text', text }]);
  if (request.stream) return perform(play, createFrames(dialect, request, play), line);
  sendJson(line, 200, wholeAnswer(dialect, request, { ...nothingSaid(), text, deltas: 1 }, play));
}

function titleText(choice: Choice, request: ChatRequest): string {
  if (choice.name === 'bad-title') return `<!DOCTYPE html>\n${'<h1>"Bad" Title</h1>\n'.repeat(500)}`;
  return titleOf(userTextOfTitlePrompt(request));
}

// A legacy prompt gives the talk as `||>Name:` blocks; the last one is the empty turn of the assistant.
export function asChat(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('prompt' in body)) return undefined;
  const blocks = String(body.prompt)
    .split('||>')
    .map((block) => block.replace(/^[^\n:]{0,40}:\s*/, '').trim());
  const question = blocks.findLast((block) => block !== '') ?? '';
  return { ...body, messages: [{ role: 'user', content: question }] };
}

async function listModels(exchange: Exchange): Promise<void> {
  const demanded = exchange.demanded();
  if (demanded && demanded.kind !== 'speech') return playOther(demanded, exchange.line, errorBody);
  const ids = [
    'gpt-3.5-turbo',
    'gpt-4',
    'gpt-4-turbo-preview',
    ...exchange.scenarioNames.map((name) => `fake:${name}`),
  ];
  const data = ids.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'fake' }));
  sendJson(exchange.line, 200, { object: 'list', data });
}

async function moderate(exchange: Exchange): Promise<void> {
  const demanded = exchange.demanded();
  if (demanded && demanded.kind !== 'speech') return playOther(demanded, exchange.line, errorBody);
  const flagged = JSON.stringify(exchange.request.body ?? '').includes('[[flagged]]');
  const result = { flagged, categories: { violence: flagged }, category_scores: { violence: flagged ? 0.99 : 0.01 } };
  sendJson(exchange.line, 200, { id: 'modr-fake', model: 'text-moderation-007', results: [result] });
}

function errorBody({ message, type, code }: Pick<Refusal, 'message' | 'type' | 'code'>): unknown {
  return { error: { message, type, param: null, code } };
}

const badRequest = { message: "'messages' must be a list of messages.", type: 'invalid_request_error', code: null };

const titleRefusal = { message: 'No title today.', type: 'server_error', code: null };
