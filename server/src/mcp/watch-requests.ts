import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

type Id = string | number;
type Options = Parameters<StreamableHTTPClientTransport['send']>[1];

/** The answer to a request whose stream ended without one, as JSON-RPC names errors inside of a server. */
export const BROKEN_OFF = { code: -32_603, message: 'The answer broke off, or is too long.' };

/**
 * Ends a request whose stream ends without an answer, such as one that is too long, and closes the stream of a request
 * that is cancelled. The client leaves both open until their time is over. Called when the client has connected.
 */
export function watchRequests(transport: StreamableHTTPClientTransport): void {
  const send = transport.send.bind(transport);
  const { onmessage } = transport;
  /** Those without an answer. */
  const open = new Map<Id, AbortController>();

  transport.onmessage = (message) => {
    if (!('method' in message) && message.id !== undefined) open.delete(message.id);
    onmessage?.(message);
  };

  function end(id: Id): void {
    if (open.has(id)) transport.onmessage?.({ jsonrpc: '2.0', id, error: BROKEN_OFF });
  }

  async function sendOne(message: JSONRPCMessage, options: Options): Promise<void> {
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) {
      open.get(cancelled)?.abort();
      open.delete(cancelled);
    }
    if (!('method' in message && 'id' in message)) return send(message, options);
    const { id } = message;
    const closing = new AbortController();
    open.set(id, closing);
    try {
      await send(message, { ...options, requestSignal: closing.signal, onRequestStreamEnd: () => end(id) });
    } catch (error) {
      open.delete(id);
      // A request that was cancelled has its answer already.
      if (!closing.signal.aborted) throw error;
    }
  }

  transport.send = async (message, options) => {
    if (Array.isArray(message)) await send(message, options);
    else await sendOne(message, options);
  };
}

function cancelledBy(message: JSONRPCMessage): Id | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.requestId;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
