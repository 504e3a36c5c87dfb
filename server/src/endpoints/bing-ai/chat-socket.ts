// The websocket that one question is asked by: JSON records that a separator ends, a handshake, and a ping now and then.
import { on } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';
import { Refusal, refuse } from '../../errors.ts';
import type { Upstream } from '../provider.ts';
import { reasonOfStatus } from '../status.ts';
import type { LooseFrame } from './deltas.ts';
import { edgeHeaders } from './headers.ts';
import type { BingPlace } from './place.ts';

const SEPARATOR = '\u001e';
const PING_EVERY_MS = 15_000;
/** An answer that takes longer than this is not waited for (E.2 of the REST facts). */
const ANSWER_MAX_MS = 300_000;
/** In bytes; far more than an answer has. */
const FRAME_MAX = 16 * 1024 * 1024;
/** Records that may wait for their reader. */
const WAITING_MAX = 256;

interface Chat {
  upstream: Upstream;
  place: BingPlace;
  /** Sent once the handshake is done. */
  request: object;
  signal: AbortSignal;
}

/**
 * What Bing says to a request until it closes the connection, or the reader leaves, or the signal aborts.
 * @throws Refusal when it cannot be reached, answers the handshake with an error, or takes too long
 */
export async function* chatFrames({ upstream, place, request, signal }: Chat): AsyncGenerator<LooseFrame, void> {
  const address = addressOf(upstream.baseURL, place.signature);
  const tunnel = upstream.tunnelTo?.(address);
  const socket = new WebSocket(address, {
    // Its type is that of net and tls with all their overloads; it is only ever called with options.
    ...(tunnel && { createConnection: tunnel as unknown as ClientOptions['createConnection'] }),
    headers: edgeHeaders(upstream.apiKey),
    origin: 'https://www.bing.com',
    perMessageDeflate: false,
    maxPayload: FRAME_MAX,
  });
  // Nobody else listens once the answer is whole, and an error that nobody hears ends the process.
  socket.on('error', () => undefined);
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
    await opened(socket, upstream.endpoint);
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

/** Bing's chat has a host of its own; one that stands in for Bing answers both. */
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

/** Listens from the moment it is made. Throws a SyntaxError for what is no JSON. */
function recordsOf(socket: WebSocket): AsyncGenerator<LooseFrame, void> {
  const heard = on(socket, 'message', { close: ['close'], highWaterMark: WAITING_MAX, lowWaterMark: 1 });
  return parsed();

  async function* parsed(): AsyncGenerator<LooseFrame, void> {
    let rest = '';
    for await (const [data] of heard) {
      const records = (rest + String(data)).split(SEPARATOR);
      rest = records.pop() ?? '';
      if (rest.length > FRAME_MAX) refuse({ type: 'provider_malformed' });
      for (const record of records) if (record !== '') yield JSON.parse(record) as LooseFrame;
    }
  }
}
