/**
 * OpenAI's images API, with what it documents to refuse (https://platform.openai.com/docs/api-reference/images). Words in
 * the prompt choose what happens: see `WORDS`; `[[name]]` chooses a scenario that fails.
 */
import * as z from 'zod';
import { asFields } from '@parley/schema/json';
import { dataEvent, respondWhole, sendJson } from '../protocol.ts';
import type { FakeCall, Protocol } from '../protocol.ts';
import { paint } from './painted.ts';

const PATH = /^\/v1\/images\/(generations|edits)$/;
const FILES = '/v1/pictures/';

const Request = z.object({
  model: z.string(),
  prompt: z.string().min(1).max(32_000),
  n: z.coerce.number().int().min(1).max(10).default(1),
  size: z.string().default('1024x1024'),
  quality: z.enum(['low', 'medium', 'high', 'auto', 'standard', 'hd']).optional(),
  stream: z.coerce.boolean().default(false),
  partial_images: z.coerce.number().int().min(0).max(3).default(0),
  response_format: z.enum(['url', 'b64_json']).optional(),
});
type Asked = z.infer<typeof Request>;

/** What a word in the prompt does. */
const WORDS = {
  /** The safety system's sentence: https://platform.openai.com/docs/guides/image-generation, "Content moderation". */
  forbidden: 'fake:forbidden',
  /** Every second picture of the same prompt is refused so. */
  half: 'fake:half',
  /** Bytes that are none. */
  noPicture: 'fake:no-picture',
  /** An address in place of the bytes; of this machine's network, of metadata. */
  address: 'fake:address',
  metadata: 'fake:metadata',
  /** Forty million pixels. */
  huge: 'fake:huge',
  /** The picture comes when the client has gone, or after the first parts of it. */
  hang: 'fake:hang',
  /** The first one comes, the others hang. */
  first: 'fake:first',
  /** A while for each part. */
  slow: 'fake:slow',
} as const;

const SLOW_MS = 700;

export const openAIPictures: Protocol = {
  serves: (method, path) => (method === 'POST' && PATH.test(path)) || (method === 'GET' && path.startsWith(FILES)),
  async respond(call) {
    return call.request.method === 'GET' ? sendFile(call) : respondWithPicture(call);
  },
};

/** `model` stands in place of that of the body, where a deployment is one. */
export async function respondWithPicture(call: FakeCall, model?: string): Promise<void> {
  const body = typeof call.request.body === 'string' ? fieldsIn(call.request.body) : asFields(call.request.body);
  const { data: asked, error } = Request.safeParse(model === undefined ? body : { ...body, model });
  if (!asked) return refuse(call, error?.issues[0]?.message ?? 'Invalid request.', 'invalid_request_error', null);
  const fault = faultOf(asked, call);
  if (fault) return refuse(call, fault, 'invalid_request_error', 'invalid_value');
  const script = call.script(call.choose('', asked.prompt), asked.prompt);
  if (script.kind !== 'stream')
    return respondWhole(script, call.line, ({ message, code }) => errorBody(message, 'requests', code));
  return make(call, asked);
}

function faultOf({ model, size, stream, response_format: format, quality }: Asked, { path }: FakeCall): string | null {
  const isNewer = model.startsWith('gpt-image');
  if (isNewer && format) return "Unknown parameter: 'response_format'.";
  if (!isNewer && stream) return "Unknown parameter: 'stream'.";
  if (model === 'dall-e-3' && path.endsWith('edits')) return "Value must be 'dall-e-2' or 'gpt-image-1'.";
  if (model === 'dall-e-3' && quality && !['standard', 'hd'].includes(quality)) return `Invalid value: '${quality}'.`;
  if (isNewer && !['1024x1024', '1536x1024', '1024x1536'].includes(size)) return `Invalid size: '${size}'.`;
  return null;
}

/** How often a prompt was asked. */
const times = new WeakMap<FakeCall['conversations'], Map<string, number>>();

function countOf(prompt: string, { conversations }: FakeCall): number {
  const counts = times.get(conversations) ?? new Map<string, number>();
  times.set(conversations, counts);
  const time = counts.get(prompt) ?? 0;
  counts.set(prompt, time + 1);
  return time;
}

async function make(call: FakeCall, asked: Asked): Promise<void> {
  const { line, request } = call;
  const has = (word: string) => asked.prompt.includes(word);
  const time = countOf(asked.prompt, call);
  if (has(WORDS.forbidden) || (has(WORDS.half) && time % 2 === 1))
    return refuse(call, SAFETY, 'image_generation_user_error', 'moderation_blocked');
  if (has(WORDS.first) && time > 0) return line.hang();
  if (has(WORDS.address) || has(WORDS.metadata)) {
    const host = has(WORDS.metadata) ? '169.254.169.254' : String(request.headers.host);
    return sendJson(line, 200, { created: 1, data: [{ url: `http://${host}${FILES}${request.id}.png` }] });
  }
  const [width = 1024, height = 1024] = has(WORDS.huge) ? [8000, 5000] : asked.size.split('x').map(Number);
  const draw = (part: number) =>
    (has(WORDS.noPicture)
      ? Buffer.from('This is no picture.')
      : paint(width / part, height / part, request.id)
    ).toString('base64');
  return asked.stream ? sendEvents(call, asked, draw) : sendWhole(call, asked, draw(1));
}

async function sendWhole({ line }: FakeCall, { prompt, model }: Asked, data: string): Promise<void> {
  if (prompt.includes(WORDS.hang)) return line.hang();
  if (prompt.includes(WORDS.slow)) await line.pause(2 * SLOW_MS);
  const revised = model === 'dall-e-3' && { revised_prompt: `${prompt}, in detail` };
  sendJson(line, 200, { created: 1, data: [{ b64_json: data, ...revised }] });
}

async function sendEvents(
  { line, path }: FakeCall,
  { prompt, partial_images: partials, size }: Asked,
  draw: (part: number) => string,
): Promise<void> {
  const pause = prompt.includes(WORDS.slow) ? SLOW_MS : 0;
  const kind = path.endsWith('edits') ? 'image_edit' : 'image_generation';
  line.head(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (let index = 0; index < partials; index++) {
    await line.pause(pause);
    await line.write(event(`${kind}.partial_image`, { b64_json: draw(4), partial_image_index: index, size }));
  }
  if (prompt.includes(WORDS.hang)) return line.hang();
  await line.pause(pause);
  const usage = { total_tokens: 1100, input_tokens: 44, output_tokens: 1056 };
  await line.write(event(`${kind}.completed`, { b64_json: draw(1), size, output_format: 'png', usage }));
  line.end();
}

function event(type: string, fields: object): string {
  return `event: ${type}\n${dataEvent({ type, created_at: 1, ...fields })}`;
}

function sendFile({ line, request }: FakeCall): void {
  line.head(200, { 'content-type': 'text/plain' });
  void line.write(paint(1024, 1024, request.id)).then(() => line.end());
}

const SAFETY =
  'Your request was rejected by the safety system. If you believe this is an error, contact us at help.openai.com and include the request ID req_fake.';

function refuse({ line }: FakeCall, message: string, type: string, code: string | null): void {
  sendJson(line, 400, errorBody(message, type, code));
}

function errorBody(message: string, type: string, code: string | null): unknown {
  return { error: { message, type, param: null, code } };
}

/** The fields of a form that are text. */
function fieldsIn(body: string): Record<string, string> {
  const [boundary = ''] = body.split('\r\n', 1);
  const fields: Record<string, string> = {};
  for (const part of body.split(boundary)) {
    const end = part.indexOf('\r\n\r\n');
    const name = /name="([^"]+)"/.exec(part.slice(0, end))?.[1];
    if (end >= 0 && name !== undefined && !part.slice(0, end).includes('filename='))
      fields[name] = part.slice(end + 4, -2);
  }
  return fields;
}
