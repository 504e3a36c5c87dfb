// The older transport of the protocol (HTTP with SSE, 2024-11-05): one stream of events for all that a server says, and a
// request for each message to it. Streams pass the same guard, and have limits of their own, since they stay open.
import type { FetchLike, JSONRPCMessage, SSEClientTransport } from '@modelcontextprotocol/client';
import { BROKEN_OFF } from './watch-requests.ts';

/** What a server answers that does not know the newer transport; 401 is about the person, the others about the moment. */
const KNOWN_BY_BOTH = [401, 403, 407, 408, 429];

type Id = string | number;

/** Whether a server refuses a POST as one of the older transport does, by the specification's backwards compatibility. */
export function mayBeLegacy(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && !KNOWN_BY_BOTH.includes(status);
}

/** Where such a server may have its stream: at the address itself, or at `/sse` where people enter the server's root. */
export function legacyAddresses(address: string): URL[] {
  const url = new URL(address);
  const beside = new URL(url);
  beside.pathname = url.pathname.replace(/\/(?:mcp\/?)?$/, '/sse');
  return beside.pathname === url.pathname ? [url] : [url, beside];
}

export interface EventStream {
  /** Opens the stream by a GET, and sends everything else by `fetchFn`. */
  fetch: FetchLike;
  /** Whether the server said by its stream where messages go, and one was sent. */
  isUsed(): boolean;
  /** What made the stream end, or not begin. */
  failure(): unknown;
  /** Ends the transport with its stream: a server that was started again knows nothing of before. */
  watch(transport: SSEClientTransport): void;
}

/**
 * The client would open a stream that ended again and again, and leaves requests without an answer open.
 * @param streamFetch has a limit for each event, and none for the time of the whole stream
 */
export function createEventStream(fetchFn: FetchLike, streamFetch: FetchLike): EventStream {
  let failure: unknown;
  let isOpened = false;
  let isUsed = false;
  let onEnd = () => {};

  async function open(url: string | URL, init: RequestInit | undefined): Promise<Response> {
    if (isOpened) throw new Error('The stream of events has ended');
    try {
      const response = await streamFetch(url, init);
      if (!isStream(response) || !response.body) return response;
      isOpened = true;
      return new Response(endWatched(response.body), response);
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  function endWatched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          failure = error;
          controller.error(error);
        }
        onEnd();
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  return {
    async fetch(url, init) {
      if ((init?.method ?? 'GET') === 'GET') return open(url, init);
      isUsed = true;
      return fetchFn(url, init);
    },
    isUsed: () => isUsed,
    failure: () => failure,
    watch(transport) {
      const open = openRequests(transport);
      onEnd = () => {
        // One that is lost with its connection may be sent again, one whose answer is too long may not.
        if (failure !== undefined && /has more than \d+ bytes/.test(String(failure))) open.end(BROKEN_OFF);
        void transport.close();
      };
    },
  };
}

function isStream({ ok, headers }: Response): boolean {
  return ok && /^\s*text\/event-stream/i.test(headers.get('content-type') ?? '');
}

/** The requests without an answer. */
function openRequests(transport: SSEClientTransport): { end(error: typeof BROKEN_OFF): void } {
  const send = transport.send.bind(transport);
  const { onmessage } = transport;
  const open = new Set<Id>();
  transport.onmessage = (message) => {
    if (!('method' in message) && message.id !== undefined) open.delete(message.id);
    onmessage?.(message);
  };
  transport.send = async (message: JSONRPCMessage) => {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id !== undefined) open.add(id);
    try {
      await send(message);
    } catch (error) {
      if (id !== undefined) open.delete(id);
      throw error;
    }
  };
  return {
    end(error) {
      for (const id of open) transport.onmessage?.({ jsonrpc: '2.0', id, error });
    },
  };
}
