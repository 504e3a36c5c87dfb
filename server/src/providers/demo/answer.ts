/** Streams a prepared text as a model would: within the requested limits, piece by piece. */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { roughTokens } from './request.ts';
import type { ChatRequest } from './request.ts';

export type ReplyPieces = { text: string; finish: 'stop' | 'length' };

// About 70 pieces a second: quick enough to read along, slow enough to see it arrive.
const PIECE_EVERY_MS = 14;

/** Ends the text at the first stop sequence, and at `maxTokens` pieces. */
export function limited(text: string, { stop, maxTokens }: ChatRequest): ReplyPieces {
  const ends = stop.map((sequence) => text.indexOf(sequence)).filter((index) => index >= 0);
  const stopped = text.slice(0, Math.min(text.length, ...ends));
  const pieces = piecesOf(stopped);
  if (maxTokens === undefined || pieces.length <= maxTokens) return { text: stopped, finish: 'stop' };
  return { text: pieces.slice(0, maxTokens).join(''), finish: 'length' };
}

/** Streams the chunks of OpenAI's protocol. Resolves at the end, or when the reader has gone. */
export async function streamReply(
  { text, finish }: ReplyPieces,
  chat: ChatRequest,
  response: ServerResponse,
): Promise<void> {
  const id = `chatcmpl-${randomBytes(9).toString('base64url')}`;
  const base = { id, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1_000), model: chat.model };
  const event = (choices: object[], more: object = {}) => `data: ${JSON.stringify({ ...base, choices, ...more })}\n\n`;
  const delta = (value: object, reason: string | null = null) =>
    event([{ index: 0, delta: value, logprobs: null, finish_reason: reason }]);

  // Ignore writes to a client that has disconnected.
  response.on('error', () => undefined);
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.write(delta({ role: 'assistant', content: '' }));
  let due = performance.now();
  for (const piece of piecesOf(text)) {
    due += PIECE_EVERY_MS;
    await pause(due - performance.now(), response);
    if (response.destroyed) return;
    if (!response.write(delta({ content: piece }))) await drained(response);
  }
  if (response.destroyed) return;
  response.write(delta({}, finish));
  if (chat.includeUsage) response.write(event([], { usage: estimateUsage(chat, text) }));
  response.end('data: [DONE]\n\n');
}

/** An estimate: the demo has no tokenizer and charges nothing. */
export function estimateUsage(chat: ChatRequest, text: string): object {
  const input = roughTokens(chat.messages.map((message) => message.text).join(''));
  const output = piecesOf(text).length;
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function piecesOf(text: string): string[] {
  return text.match(/\s?\S{1,6}|\s/gu) ?? [];
}

function pause(ms: number, response: ServerResponse): Promise<void> {
  if (ms <= 0 || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}
