// The two ways in which messages of servers arrive, as bodies of HTTP and as lines of a program, each with its nulls taken
// out before the client reads it.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { parseJson } from '@parley/schema/json';
import { textWithoutNulls, withoutNulls } from './without-nulls.ts';

/** A response whose body, of JSON or of events, has no nulls; it arrives as slowly as before. Any other stays as it is. */
export function lenientResponse(response: Response): Response {
  const type = response.headers.get('content-type') ?? '';
  const reader = /^\s*text\/event-stream/i.test(type) ? events() : /\bjson\b/i.test(type) ? wholeText() : null;
  if (!response.body || !reader) return response;
  const { status, statusText, headers } = response;
  const text = response.body.pipeThrough(new TextDecoderStream());
  return new Response(text.pipeThrough(reader).pipeThrough(new TextEncoderStream()), { status, statusText, headers });
}

function wholeText(): TransformStream<string, string> {
  const pieces: string[] = [];
  return new TransformStream({
    transform: (piece) => void pieces.push(piece),
    flush: (controller) => controller.enqueue(textWithoutNulls(pieces.join(''))),
  });
}

/** Server-sent events: each with its data in one line where that is JSON, all other lines as they are. */
function events(): TransformStream<string, string> {
  let rest = '';
  let data: string[] = [];
  return new TransformStream({
    transform(piece, controller) {
      // A line may end with a return whose newline is in the next piece.
      const lines = `${rest}${piece}`.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) take(line, controller);
    },
    flush(controller) {
      if (rest !== '') take(rest.replace(/\r$/, ''), controller);
      release(controller);
    },
  });

  function take(line: string, controller: TransformStreamDefaultController<string>): void {
    if (/^data(?::|$)/.test(line)) return void data.push(line.replace(/^data:? ?/, ''));
    if (line === '') release(controller);
    controller.enqueue(`${line}\n`);
  }

  function release(controller: TransformStreamDefaultController<string>): void {
    if (data.length === 0) return;
    for (const line of textWithoutNulls(data.join('\n')).split('\n')) controller.enqueue(`data: ${line}\n`);
    data = [];
  }
}

/** Where a transport keeps what a program wrote until it is a message. */
interface MessageBuffer {
  append(chunk: Buffer): void;
  readMessage(): JSONRPCMessage | null;
  clear(): void;
}

/**
 * The messages of a program, one a line; lines that are not JSON are left out.
 * @param parse checks a message, and throws what is wrong with it
 * @throws Error from `append` when more than `maxBytes` wait to be read
 */
export function createMessageLines(parse: (message: unknown) => JSONRPCMessage, maxBytes: number): MessageBuffer {
  let bytes: Buffer = Buffer.alloc(0);
  return { append, readMessage, clear };

  function append(chunk: Buffer): void {
    const size = bytes.length + chunk.length;
    if (size > maxBytes) {
      clear();
      throw new Error(`The body has more than ${maxBytes} bytes`);
    }
    bytes = Buffer.concat([bytes, chunk], size);
  }

  function readMessage(): JSONRPCMessage | null {
    for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n')) {
      const line = bytes.toString('utf8', 0, end);
      bytes = bytes.subarray(end + 1);
      const value = parseJson(line);
      if (value !== undefined) return parse(withoutNulls(value));
    }
    return null;
  }

  function clear(): void {
    bytes = Buffer.alloc(0);
  }
}
