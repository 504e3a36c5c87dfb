// Many servers write null for a field that they leave out, which the protocol does not allow: the client would refuse the
// whole message, or an answer of an authorization server. So nulls are taken out of all that servers send before the
// client reads it, however it arrives. Where null is a value, it stays.
import { isObject, parseJson } from '@parley/schema/json';

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
