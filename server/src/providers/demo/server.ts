/**
 * The demo endpoint: a small server for OpenAI's protocol inside this process, used when no provider is configured. It
 * is called over HTTP like any custom endpoint, so it shows what a real provider receives.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createChooser } from './choose.ts';
import { limited, streamReply, estimateUsage } from './answer.ts';
import type { ReplyPieces } from './answer.ts';
import { readChatRequest } from './request.ts';
import type { ChatMessage, ChatRequest } from './request.ts';
import { asksForTitle, demoTitle, userTextOfTitlePrompt } from './title.ts';

export const DEMO_MODEL = 'parley-demo';

export type Demo = {
  /** Without `/v1`. */
  url: string;
  /** The bearer it demands: other processes of this machine must not talk to it. */
  apiKey: string;
  close(): Promise<void>;
};

type Choose = (messages: ChatMessage[]) => string;

// Larger bodies are no conversation.
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Listens on a free port of the loopback address. */
export async function startDemo(): Promise<Demo> {
  const apiKey = `demo-${randomBytes(24).toString('base64url')}`;
  const choose = createChooser();
  const server = createServer({ noDelay: true }, (request, response) => {
    serve(request, response, apiKey, choose).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The demo endpoint has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    apiKey,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  apiKey: string,
  choose: Choose,
): Promise<void> {
  if (!isSame(request.headers.authorization ?? '', `Bearer ${apiKey}`)) {
    return refuse(response, 401, 'invalid_api_key', 'The demo endpoint only answers the Parley it belongs to.');
  }
  switch (`${request.method} ${request.url}`) {
    case 'GET /v1/models':
      return sendJson(response, 200, {
        object: 'list',
        data: [{ id: DEMO_MODEL, object: 'model', owned_by: 'parley' }],
      });
    case 'POST /v1/chat/completions':
      return complete(request, response, choose);
    default:
      return refuse(response, 404, null, 'The demo endpoint knows models and chat completions only.');
  }
}

async function complete(request: IncomingMessage, response: ServerResponse, choose: Choose): Promise<void> {
  const chat = readChatRequest(await readJson(request));
  if (!chat) return refuse(response, 400, null, 'This is not a chat completions request.');

  const reply = wholeReply(chat, choose);
  if (chat.stream) return streamReply(reply, chat, response);

  const message = { role: 'assistant', content: reply.text };
  sendJson(response, 200, {
    id: `chatcmpl-${randomBytes(9).toString('base64url')}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model: DEMO_MODEL,
    choices: [{ index: 0, message, logprobs: null, finish_reason: reply.finish }],
    usage: estimateUsage(chat, reply.text),
  });
}

function wholeReply(chat: ChatRequest, choose: Choose): ReplyPieces {
  if (asksForTitle(chat)) return { text: demoTitle(userTextOfTitlePrompt(chat)), finish: 'stop' };
  return limited(choose(chat.messages), chat);
}

/** Returns undefined for a body that is too large or is not JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, code: string | null, message: string): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error', param: null, code } });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

// Compares digests, so that the time taken reveals nothing about the secret or its length.
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
