// Many servers write null for a field that they leave out, which the protocol does not allow: the client would refuse the
// whole message, or an answer of an authorization server. So nulls are taken out of all that servers send before the
// client reads it, in the two ways in which it arrives: as bodies of HTTP, and as lines of a program. Where null is a
// value, it stays.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, parseJson } from '@parley/schema/json';

/**
 * A response whose body, of JSON or of events, has no nulls; it arrives as slowly as before. Any other stays as it is.
 * @param eventMax of one event, in bytes: reading a longer one fails
 */
export function lenientResponse(response: Response, eventMax: number): Response {
  const type = response.headers.get('content-type') ?? '';
  const reader = /^\s*text\/event-stream/i.test(type) ? events(eventMax) : /\bjson\b/i.test(type) ? wholeText() : null;
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
function events(eventMax: number): TransformStream<string, string> {
  /** Of a line that has not ended: joined once, however many pieces it has. */
  let rest: string[] = [];
  let data: string[] = [];
  /** Of the event that is being read. */
  let size = 0;
  return new TransformStream({
    transform(piece, controller) {
      size += Buffer.byteLength(piece);
      const lines = endedLines(piece);
      if (lines.includes('')) size = Buffer.byteLength(rest.join(''));
      if (size > eventMax) return controller.error(tooLong(eventMax));
      for (const line of lines) take(line, controller);
    },
    flush(controller) {
      const last = rest.join('').replace(/\r$/, '');
      if (last !== '') take(last, controller);
      release(controller);
    },
  });

  /** A line may end with a return whose newline is in the next piece. */
  function endedLines(piece: string): string[] {
    const isWithin = !/[\r\n]/.test(piece) && !rest.at(-1)?.endsWith('\r');
    if (isWithin) {
      rest.push(piece);
      return [];
    }
    const lines = [...rest, piece].join('').split(/\r\n|\n|\r(?!$)/);
    rest = [lines.pop() ?? ''];
    return lines;
  }

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
      throw tooLong(maxBytes);
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

/** In the words of `Egress.call`. */
function tooLong(maxBytes: number): Error {
  return new Error(`The body has more than ${maxBytes} bytes`);
}

type Fields = Record<string, unknown>;

/** What is in these fields is data, or a schema: null is a value there. */
const DATA = new Set(['structuredContent', 'arguments', 'inputSchema', 'outputSchema', 'requestedSchema', 'data']);

/** A schema of no arguments, which some servers give as null. */
const TAKES_NOTHING = { type: 'object' };

/** As JSON-RPC names errors inside of a server. */
const INTERNAL_ERROR = -32_603;

/** The same text where it is not JSON, or is nested too deeply to be read. */
export function textWithoutNulls(text: string): string {
  const value = parseJson(text);
  if (value === undefined || !/null|"result"/.test(text)) return text;
  try {
    return JSON.stringify(withoutNulls(value));
  } catch (error) {
    if (error instanceof RangeError) return text;
    throw error;
  }
}

/** A message of the protocol, several of them, or any other JSON object. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value) || !('jsonrpc' in value)) return stripped(value);
  const message: Fields = strippedFields(value);
  const isAnswer = 'id' in message && !('method' in message);
  if (isObject(message.error)) return { ...message, error: { code: INTERNAL_ERROR, message: '', ...message.error } };
  return isAnswer ? { ...message, result: withNeeded(message.result ?? {}) } : message;
}

/** With the empty values of what the client insists on, and which servers give as null. */
function withNeeded(result: unknown): unknown {
  if (!isObject(result)) return result;
  if ('protocolVersion' in result) {
    const { capabilities = {}, serverInfo } = result;
    return { ...result, capabilities, serverInfo: { name: '', version: '', ...(isObject(serverInfo) && serverInfo) } };
  }
  if (!Array.isArray(result.content)) return result;
  const content = result.content.map((block) =>
    isObject(block) && block.type === 'text' ? { text: '', ...block } : block,
  );
  return { ...result, content };
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(stripped);
  return isObject(value) ? strippedFields(value) : value;
}

function strippedFields(value: Fields): Fields {
  const given = Object.entries(value).filter(([name, inner]) => inner !== null || name === 'inputSchema');
  return Object.fromEntries(
    given.map(([name, inner]) => [name, DATA.has(name) ? (inner ?? TAKES_NOTHING) : stripped(inner)]),
  );
}
