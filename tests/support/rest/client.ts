// An existing client of the REST paths: it keeps its bearer token and reads the stream of an exchange frame by frame.
import { randomUUID } from 'node:crypto';
import { assertDocumented, assertDocumentedEvent } from './documented.ts';
import { createParser } from './frame-parser.ts';
import { Message, type Final, type Frame } from './client-rules.ts';

export const PASSWORD = 'nine green bottles';
export const NO_PARENT = '00000000-0000-0000-0000-000000000000';

export type Client = Awaited<ReturnType<typeof signUp>>;

/** A new account and its client. */
export async function signUp(url: string, name: string) {
  const form = { name, email: `${name}@example.com`, password: PASSWORD, confirm_password: PASSWORD };
  const registered = await send(url, 'POST', '/api/auth/register', form);
  const authorization = registered.headers.get('authorization') ?? '';
  const headers = { authorization };
  const get = (path: string) => send(url, 'GET', path, undefined, headers);
  const post = (path: string, body: unknown) => send(url, 'POST', path, body, headers);
  const { id } = (await (await get('/api/user')).json()) as { id: string };

  return {
    id,
    headers,
    get,
    post,
    json: async (path: string): Promise<unknown> => (await get(path)).json(),
    messages: async (conversationId: string) =>
      Message.array().parse(await (await get(`/api/messages/${conversationId}`)).json()),
    stop: (abortKey: string) => post('/api/ask/openAI/abort', { abortKey, endpoint: 'openAI' }),
    /** Asks and reads to the end. Each frame must match the client's rules. */
    async ask(body: object, path = 'openAI'): Promise<Frame[]> {
      const frames: Frame[] = [];
      for await (const frame of readFrames(await post(`/api/ask/${path}`, body))) frames.push(frame);
      return frames;
    },
  };
}

/** Asks and reads the first frame; `rest` reads the others. */
export async function begin(client: Client, body: object) {
  const frames = readFrames(await client.post('/api/ask/openAI', body));
  const first = await frames.next();
  const created = createdOf(first.done ? [] : [first.value]);
  return {
    created,
    untilText: () => untilText(frames),
    async rest(): Promise<Frame[]> {
      const rest: Frame[] = [];
      for await (const frame of frames) rest.push(frame);
      return rest;
    },
  };
}

/** One request, whose answer must be one that the document of these paths has. */
export async function send(url: string, method: string, path: string, body?: unknown, headers: HeadersInit = {}) {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const init = { method, headers: { 'content-type': 'application/json', ...headers }, ...json };
  const response = await fetch(url + path, init);
  await assertDocumented(method, url + path, response);
  return response;
}

/** Reads frames of an answer until one has a text. */
export async function untilText(frames: AsyncGenerator<Frame>): Promise<void> {
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    if (textsOf([next.value]).some(({ text }) => text !== '')) return;
  }
  throw new Error('The answer ended without a text');
}

export async function* readFrames(response: Response): AsyncGenerator<Frame> {
  if (!response.body) throw new Error('The answer is no stream');
  const parse = createParser();
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream()))
    for (const frame of parse(chunk)) {
      assertDocumentedEvent(response, frame.event, frame.data);
      yield frame;
    }
}

/** The request body of a first question, as such a client sends it. */
export function question(text: string, over: object = {}) {
  return {
    text,
    sender: 'User',
    isCreatedByUser: true,
    parentMessageId: NO_PARENT,
    conversationId: null,
    messageId: randomUUID(),
    error: false,
    generation: '',
    responseMessageId: null,
    overrideParentMessageId: null,
    endpoint: 'openAI',
    key: null,
    model: 'fake:echo',
    ...over,
  };
}

/** A question that follows an exchange. */
export function followUp(text: string, { conversation, responseMessage }: Final, over: object = {}) {
  const { conversationId } = conversation;
  return question(text, { conversationId, parentMessageId: responseMessage.messageId, ...over });
}

/** Asks for another answer to the same question. */
export function regenerate({ conversation, requestMessage }: Final, over: object = {}) {
  const { conversationId } = conversation;
  const { messageId: overrideParentMessageId, parentMessageId, text } = requestMessage;
  return question(text, { conversationId, parentMessageId, overrideParentMessageId, ...over });
}

export function createdOf(frames: Frame[]) {
  const [first] = frames;
  if (!first || !('created' in first.data)) throw new Error('The stream did not begin with created');
  return first.data.message;
}

export function textsOf(frames: Frame[]) {
  return frames.flatMap(({ data }) => ('initial' in data ? [data] : []));
}

export function finalOf(frames: Frame[]): Final {
  const last = frames.at(-1);
  if (!last || !('responseMessage' in last.data)) throw new Error(`The stream ended with ${JSON.stringify(last)}`);
  return last.data;
}

/** The data of the only error, which is the last frame. */
export function errorOf(frames: Frame[]) {
  const last = frames.at(-1);
  if (last?.event !== 'error') throw new Error(`The stream ended with ${JSON.stringify(last)}`);
  return last.data;
}
