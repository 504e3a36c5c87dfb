// A tRPC websocket of a bench as raw frames: the client must not take more of the machine than what it measures.
import WebSocket from 'ws';

/** What is read of a frame of tRPC. */
interface Frame {
  id?: number;
  result?: { type: 'started' | 'data' | 'stopped'; data?: unknown };
  error?: { message: string };
}

interface Call {
  onStarted(): void;
  onData(data: unknown): void;
  onError(error: Error): void;
  onEnd(): void;
}

export interface LightSocket {
  socket: WebSocket;
  /** Asks once and resolves to the answer. */
  mutate(path: string, input: unknown): Promise<unknown>;
  subscribe(path: string, input: unknown, call: Partial<Call>): void;
  close(): Promise<void>;
}

/** `token` is a bearer token, for a server that asks for one. */
export async function openLightSocket(address: string, token?: string): Promise<LightSocket> {
  const socket = new WebSocket(token === undefined ? address : `${address}?connectionParams=1`, {
    perMessageDeflate: false,
  });
  const calls = new Map<number, Partial<Call>>();
  let lastId = 0;
  socket.on('message', (bytes: Buffer) => {
    const text = bytes.toString();
    // A server ends a socket whose client leaves its pings unanswered.
    if (text === 'PING') socket.send('PONG');
    else takeFrame(calls, JSON.parse(text) as Frame);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  if (token !== undefined) socket.send(JSON.stringify({ method: 'connectionParams', data: { token } }));
  const send = (method: string, path: string, input: unknown, call: Partial<Call>) => {
    calls.set(++lastId, call);
    socket.send(JSON.stringify({ id: lastId, method, params: { path, input } }));
  };
  return {
    socket,
    mutate: (path, input) =>
      new Promise((resolve, reject) => send('mutation', path, input, { onData: resolve, onError: reject })),
    subscribe: (path, input, call) => send('subscription', path, input, call),
    close: () =>
      new Promise((resolve) => {
        socket.once('close', () => resolve());
        socket.close();
      }),
  };
}

function takeFrame(calls: Map<number, Partial<Call>>, { id = 0, result, error }: Frame): void {
  const call = calls.get(id);
  if (error) call?.onError?.(new Error(error.message));
  else if (result?.type === 'stopped') call?.onEnd?.();
  else if (result?.type === 'started') call?.onStarted?.();
  else if (result?.type === 'data' || result?.type === undefined) call?.onData?.(result?.data);
  if (error || result?.type === 'stopped') calls.delete(id);
}
