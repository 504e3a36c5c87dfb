// The websocket for one question: JSON records ended by a separator, a handshake, and occasional pings.
import { on } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';
import { Refusal, refuse } from '../../platform/errors.ts';
import { assertEventLength, EVENT_MAX } from '../bounded-body.ts';
import type { ProviderTarget } from '../provider.ts';
import { reasonOfStatus } from '../status.ts';
import type { LooseFrame } from './deltas.ts';
import { edgeHeaders } from './headers.ts';
import type { BingThread } from './thread.ts';

const SEPARATOR = '\u001e';
const PING_EVERY_MS = 15_000;
/** The longest an answer may take (docs/rest-compat.md, Provider requests). */
const ANSWER_MAX_MS = 300_000;
/** The most records that may queue for the reader. */
const WAITING_MAX = 256;

interface Chat {
  target: ProviderTarget;
  thread: BingThread;
  /** Sent once the handshake is done. */
  request: object;
  signal: AbortSignal;
  /** Called for whatever arrives: Bing's pings, too. */
  onBytes?: (() => void) | undefined;
}

/**
 * Yields Bing's records for a request until Bing closes the connection, the reader stops, or the signal aborts.
 * @throws Refusal when Bing is unreachable, answers the handshake with an error, or takes too long
 */
export async function* chatFrames({
  target,
  thread,
  request,
  signal,
  onBytes,
}: Chat): AsyncGenerator<LooseFrame, void> {
  const address = addressOf(target.baseURL, thread.signature);
  const tunnel = target.tunnelTo?.(address);
  const socket = new WebSocket(address, {
    // The type has all overloads of net and tls; it is only called with options.
    ...(tunnel && { createConnection: tunnel as unknown as ClientOptions['createConnection'] }),
    headers: edgeHeaders(target.apiKey),
    origin: 'https://www.bing.com',
    perMessageDeflate: false,
    maxPayload: EVENT_MAX,
  });
  // After the answer nothing else listens, and an unhandled error event would end the process.
  socket.on('error', () => undefined);
  if (onBytes) for (const event of ['message', 'ping', 'pong']) socket.on(event, onBytes);
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    socket.terminate();
  }, ANSWER_MAX_MS);
  const ping = setInterval(() => send(socket, { type: 6 }), PING_EVERY_MS);
  const leave = () => socket.terminate();
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    const frames = recordsOf(socket);
    await opened(socket, target.endpoint);
    send(socket, { protocol: 'json', version: 1 });
    const { value: hello } = await frames.next();
    if (!hello || hello.error) refuse({ type: 'provider_unavailable', status: null });
    send(socket, { type: 6 });
    send(socket, request);
    yield* frames;
    if (isLate) refuse({ type: 'provider_stalled', seconds: ANSWER_MAX_MS / 1000 });
  } finally {
    clearTimeout(late);
    clearInterval(ping);
    signal.removeEventListener('abort', leave);
    socket.terminate();
  }
}

/** Bing's chat has its own host; a configured replacement serves both. */
function addressOf(baseURL: string, signature: string): string {
  const url = new URL(baseURL);
  const isBing = url.hostname === 'www.bing.com';
  const host = isBing ? 'wss://sydney.bing.com' : baseURL.replace(/^http/, 'ws');
  return `${host}/sydney/ChatHub?sec_access_token=${encodeURIComponent(signature)}`;
}

function opened(socket: WebSocket, endpoint: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', () => reject(new Refusal({ type: 'provider_unavailable', status: null })));
    socket.once('unexpected-response', (request, { statusCode = 0 }) => {
      request.destroy();
      reject(new Refusal(reasonOfStatus({ status: statusCode, text: '' }, endpoint)));
    });
  });
}

function send(socket: WebSocket, record: object): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(record) + SEPARATOR);
}

/** Listens as soon as it is called. Throws a SyntaxError for invalid JSON. */
function recordsOf(socket: WebSocket): AsyncGenerator<LooseFrame, void> {
  const heard = on(socket, 'message', { close: ['close'], highWaterMark: WAITING_MAX, lowWaterMark: 1 });
  return parsed();

  async function* parsed(): AsyncGenerator<LooseFrame, void> {
    let begun: string[] = [];
    let length = 0;
    for await (const [data] of heard) {
      const [first = '', ...more] = String(data).split(SEPARATOR);
      begun.push(first);
      length += first.length;
      assertEventLength(length);
      const last = more.pop();
      if (last === undefined) continue;
      for (const record of [begun.join(''), ...more]) if (record !== '') yield JSON.parse(record) as LooseFrame;
      begun = [last];
      length = last.length;
    }
  }
}
