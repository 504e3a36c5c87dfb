// OpenAI's images API, at OpenAI, at Azure's deployments and at servers that are compatible with it: one picture a call.
// https://platform.openai.com/docs/api-reference/images
import * as z from 'zod';
import { parseJson } from '@parley/schema/json';
import { readBounded } from '../../platform/deadline.ts';
import { Refusal, refuse } from '../../platform/errors.ts';
import { failureOfEvent, reasonOfFailure } from '../failure.ts';
import { PICTURE_ANSWER_MAX, type PictureCall, type PictureDelta, type SourcePicture } from '../pictures.ts';
import { post } from '../sse-client.ts';

const Answer = z.object({
  data: z
    .array(
      z.object({ b64_json: z.string().nullish(), url: z.string().nullish(), revised_prompt: z.string().nullish() }),
    )
    .min(1),
});
const Event = z.object({ type: z.string(), b64_json: z.string().nullish(), partial_image_index: z.number().nullish() });

/** Pictures that are not finished, of one picture. */
const PARTIALS = 2;

export async function* openAIPicture(call: PictureCall, signal: AbortSignal): AsyncGenerator<PictureDelta> {
  const { endpoint, apiKey } = call.target;
  try {
    const response = await send(call, signal);
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    yield* isStream ? readEvents(response) : readWhole(response);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Refusal(reasonOfFailure(error, endpoint, apiKey));
  }
}

async function send(call: PictureCall, signal: AbortSignal): Promise<Response> {
  const { target, sources } = call;
  const { baseURL, apiKey, organization, headers, query, endpoint, fetch } = target;
  const path = sources.length > 0 ? 'edits' : 'generations';
  const version = query ? `?${new URLSearchParams(query).toString()}` : '';
  const { type, body } =
    sources.length > 0 ? await formOf(call) : { type: JSON_TYPE, body: JSON.stringify(fieldsOf(call)) };
  return post({
    url: `${baseURL}/images/${path}${version}`,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(organization !== undefined && { 'openai-organization': organization }),
      ...headers,
      'content-type': type,
    },
    body,
    signal,
    endpoint,
    fetch,
  });
}

const JSON_TYPE = 'application/json';

function fieldsOf({ model, can, prompt, size, quality, userId, target }: PictureCall) {
  const [width, height] = can.sizes[size];
  const fields = {
    model,
    prompt,
    n: 1,
    size: `${width}x${height}`,
    ...(can.qualities && { quality: can.qualities[quality] }),
    ...(can.streams ? { stream: true, partial_images: PARTIALS } : { response_format: 'b64_json' }),
    ...(!target.isCompatible && { user: userId }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !target.dropParams.includes(name)));
}

/** A whole form, since the guarded `fetch` knows no forms. */
async function formOf(call: PictureCall): Promise<{ type: string; body: Uint8Array<ArrayBuffer> }> {
  const { can, sources, mask } = call;
  const form = new FormData();
  for (const [name, value] of Object.entries(fieldsOf(call))) form.append(name, String(value));
  const isOne = sources.length === 1 || !can.streams;
  for (const [place, source] of (isOne ? sources.slice(0, 1) : sources).entries())
    form.append(isOne ? 'image' : 'image[]', blobOf(source), `picture-${place + 1}.${extensionOf(source)}`);
  if (mask) form.append('mask', blobOf(mask), 'mask.png');
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { type, body: new Uint8Array(await encoded.arrayBuffer()) };
}

function blobOf({ bytes, mime }: SourcePicture): Blob {
  return new Blob([new Uint8Array(bytes)], { type: mime });
}

function extensionOf({ mime }: SourcePicture): string {
  return mime.replace('image/', '').replace('jpeg', 'jpg');
}

async function* readWhole(response: Response): AsyncGenerator<PictureDelta> {
  const body = await readBounded(response, PICTURE_ANSWER_MAX, malformed);
  const { success, data } = Answer.safeParse(parseJson(body.toString()));
  const [made] = success ? data.data : [];
  if (!made) throw failureOfEvent(parseJson(body.toString())) ?? malformed();
  yield pictureOf(made.b64_json, made.url, made.revised_prompt);
}

async function* readEvents(response: Response): AsyncGenerator<PictureDelta> {
  for await (const data of eventsOf(response)) {
    const parsed = parseJson(data);
    const { success, data: event } = Event.safeParse(parsed);
    if (!success || event.type === 'error') {
      const failure = failureOfEvent(parsed);
      if (failure) throw failure;
      continue;
    }
    if (event.type.endsWith('.partial_image') && event.b64_json) {
      const progress = ((event.partial_image_index ?? 0) + 1) / (PARTIALS + 1);
      yield { type: 'partial', bytes: Buffer.from(event.b64_json, 'base64'), progress };
    }
    if (event.type.endsWith('.completed')) return yield pictureOf(event.b64_json, null, null);
  }
  refuse({ type: 'provider_broke_off' });
}

function pictureOf(
  base64: string | null | undefined,
  url: string | null | undefined,
  revised: string | null | undefined,
): PictureDelta {
  const from = base64 ? { bytes: Buffer.from(base64, 'base64') } : url ? { url } : null;
  if (!from) throw malformed();
  return { type: 'picture', from, ...(revised && { revisedPrompt: revised }) };
}

/** The data of each event: one holds a whole picture, which is longer than other streams allow. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    const text = decoder.decode(chunk, { stream: true }).replaceAll('\r', '');
    pieces.push(text);
    length += text.length;
    if (length > PICTURE_ANSWER_MAX) throw malformed();
    if (!text.includes('\n')) continue;
    const events = pieces.join('').split('\n\n');
    const rest = events.pop() ?? '';
    pieces = [rest];
    length = rest.length;
    for (const event of events) yield dataOf(event);
  }
  const last = pieces.join('');
  if (last.trim() !== '') yield dataOf(last);
}

function dataOf(event: string): string {
  return event
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? line.slice(5).trim() : []))
    .join('\n');
}

function malformed(): Refusal {
  return new Refusal({ type: 'provider_malformed' });
}
