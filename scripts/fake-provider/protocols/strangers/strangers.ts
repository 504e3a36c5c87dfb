/** OpenAI's protocol as other servers speak it: below `/strangers/<name>`, one of the profiles. */
import { typedEntries } from '@parley/schema/entries';
import { asFields, listIn } from '@parley/schema/json';
import type { Connection } from '../../connection.ts';
import { sendJson, type FakeCall, type Protocol } from '../../protocol.ts';
import { openai } from '../openai.ts';
import { strangers as profiles, type Refusable, type Refused, type Stranger } from './profiles.ts';

const PATH = /^\/strangers\/([^/]+)(\/v1\/.*)$/;

export const strangers: Protocol = {
  serves(method, path, headers) {
    const [, name, below = ''] = PATH.exec(path) ?? [];
    return profileOf(name) !== undefined && openai.serves(method, below, headers);
  },
  async respond(exchange) {
    const [, name, path = ''] = PATH.exec(exchange.path) ?? [];
    const profile = profileOf(name);
    if (!profile) return;
    const refused = path.endsWith('/chat/completions') ? refusedBy(profile, exchange.request.body) : undefined;
    if (refused) return sendRefused(exchange, refused);
    // Turns may be joined: the last of them chooses.
    const choose: FakeCall['choose'] = (model, text) => exchange.choose(model, text.split('\n\n').at(-1) ?? '');
    await openai.respond({ ...exchange, path, choose, line: inItsWords(exchange.line, profile) });
  },
};

function profileOf(name = ''): Stranger | undefined {
  return new Map<string, Stranger>(Object.entries(profiles)).get(decodeURIComponent(name));
}

function sendRefused({ line, request }: FakeCall, { status, body }: Refused): void {
  request.scenario = 'refused';
  if (typeof body !== 'string') return sendJson(line, status, body);
  line.head(status, { 'content-type': 'text/plain' });
  line.end(body);
}

type Sent = Readonly<Record<string, unknown>>;

/** What each profile may refuse, in a request as it came. */
const finds: Record<Refusable, (messages: Sent[], body: Sent) => boolean> = {
  names: (messages) => messages.some(({ role, name }) => role !== 'user' && name !== undefined),
  system: (messages) => messages.some(({ role }) => role === 'system'),
  'late system': (messages) => messages.slice(1).some(({ role }) => role === 'system'),
  'last answer': (messages) => messages.at(-1)?.role === 'assistant',
  'same turns': (messages) => {
    const turns = messages.map(({ role }) => role).filter((role) => role !== 'system');
    return turns[0] !== 'user' || turns.some((role, at) => role !== 'tool' && role === turns[at - 1]);
  },
  tools: (_messages, { tools }) => tools !== undefined,
  'tool turns': (messages) => messages.some(({ role, tool_calls: calls }) => role === 'tool' || calls !== undefined),
  parts: (messages) => messages.some(({ content }) => Array.isArray(content)),
  'given reasoning': (messages) => messages.some((message) => 'reasoning_content' in message),
};

function refusedBy({ refuses, fields, fieldRefused }: Stranger, body: unknown): Refused | undefined {
  const given = asFields(body);
  const messages = listIn(given.messages).map(asFields);
  const found = typedEntries(refuses).find(([part]) => finds[part](messages, given));
  if (found) return found[1];
  const field = fields.find((name) => name in given);
  return field === undefined ? undefined : fieldRefused(field);
}

/** The connection, on which what OpenAI would send is told as this server does. */
function inItsWords(line: Connection, profile: Stranger): Connection {
  const tell = createTelling(profile);
  let failed: number | null = null;
  const told = (bytes: string | Uint8Array) =>
    typeof bytes === 'string'
      ? bytes
          .split(/(?<=\n\n)/)
          .map(tell)
          .join('')
      : bytes;
  const own: Partial<Connection> = {
    head(status, headers) {
      const isJson = (headers['content-type'] ?? '').includes('json');
      failed = status >= 400 && isJson ? status : null;
      line.head(status, headers);
    },
    write: (bytes) => line.write(told(bytes)),
    end: (bytes) => line.end(bytes !== undefined && failed !== null ? errorOf(profile, failed, bytes) : bytes),
  };
  return new Proxy(line, { get: (target, name) => Reflect.get(own, name) ?? Reflect.get(target, name) });
}

function errorOf(profile: Stranger, status: number, bytes: string): string {
  const { error } = JSON.parse(bytes) as { error: { message: string; code: string | null } };
  const body = profile.error(status, error.message, error.code);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

type Chunk = {
  choices?: { delta: Record<string, unknown>; finish_reason: string | null; native_finish_reason?: string }[];
  error?: { message: string };
};

/** Tells the events of one answer. */
function createTelling(profile: Stranger): (event: string) => string {
  const { words = {}, keepAlive = '' } = profile;
  let isThinking = false;
  return (event) => {
    const data = /^data: (\{.*\})\n\n$/s.exec(event)?.[1];
    if (data === undefined) return event;
    const chunk = JSON.parse(data) as Chunk;
    const [choice] = chunk.choices ?? [];
    if (chunk.error && !choice)
      return profile.errorEvent ? `data: ${profile.errorEvent(chunk.error.message)}\n\n` : event;
    if (!choice) return keepAlive + event;
    choice.delta = deltaOf(choice.delta);
    const word = choice.finish_reason as keyof typeof words | null;
    if (word !== null && word in words) {
      choice.finish_reason = words[word] ?? null;
      choice.native_finish_reason = word;
    }
    return `${keepAlive}data: ${JSON.stringify(chunk)}\n\n`;
  };

  function deltaOf({ reasoning_content: thought, ...delta }: Record<string, unknown>): Record<string, unknown> {
    const isTagged = profile.thoughts === 'tags' || profile.thoughts === 'closing tag';
    if (thought === undefined) {
      if (!isThinking || (!delta.content && !delta.tool_calls)) return delta;
      isThinking = false;
      return isTagged ? { ...delta, content: `\n</think>\n\n${String(delta.content ?? '')}` } : delta;
    }
    const opening = profile.thoughts === 'tags' && !isThinking ? '<think>\n' : '';
    isThinking = true;
    switch (profile.thoughts) {
      case 'tags':
      case 'closing tag':
        return { ...delta, content: `${opening}${String(thought)}` };
      case 'parts':
        return { ...delta, content: [{ type: 'thinking', thinking: [{ type: 'text', text: thought }] }] };
      case 'reasoning_details':
        return { ...delta, reasoning: '', reasoning_details: [{ type: 'reasoning.text', text: thought, index: 0 }] };
      default:
        return { ...delta, reasoning_content: '', [profile.thoughts]: thought };
    }
  }
}
