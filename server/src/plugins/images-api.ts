// OpenAI's images API, at OpenAI, at a server in its place, or at a deployment of Azure.
import * as z from 'zod';
import { withoutTrailingSlash } from '../config/addresses.ts';
import { callServiceForJson, ServiceFailure, throwIfStopped, type Service } from '../tools/call-service.ts';
import type { ToolOutcome } from '../tools/tool.ts';
import type { PluginContext } from './define-plugin.ts';

const Reply = z.object({
  data: z.array(
    z.object({ b64_json: z.string().nullish(), url: z.string().nullish(), revised_prompt: z.string().nullish() }),
  ),
});
const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

const TIMEOUT_MS = 120_000;
const MAX_BYTES = 32 * 1024 * 1024;
const LIST_TIMEOUT_MS = 10_000;
const DEFAULT_MODEL = 'dall-e-3';

export interface ImagesConfig {
  baseURL: string;
  /** Set for a deployment at Azure, whose address is `baseURL`. */
  azureApiVersion: string | undefined;
  /** The first that the key lists when undefined. */
  model: string | undefined;
}

/** The address of the call itself is accepted, too. */
export function imagesConfig(
  url = 'https://api.openai.com/v1',
  azureApiVersion: string | undefined,
  model: string | undefined,
): ImagesConfig {
  const baseURL = withoutTrailingSlash(withoutTrailingSlash(url).replace(/\/images\/generations$/, ''));
  return { baseURL, azureApiVersion, model };
}

export interface ImageAsk {
  config: ImagesConfig;
  key: string;
  /** Of the file, without its extension. */
  name: string;
  body: { prompt: string } & Record<string, unknown>;
  userId: string;
  signal: AbortSignal;
}

/** Makes one image and keeps it. @throws ServiceFailure */
export async function makeImage(context: PluginContext, ask: ImageAsk): Promise<ToolOutcome> {
  const { config, body, signal, userId, name } = ask;
  const { data } = await callServiceForJson(context.service, Reply, {
    ...placeOf(config, ask.key, '/images/generations'),
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    signal,
  });
  const [made] = data;
  if (!made) throw new ServiceFailure(`${context.service.name} made no picture.`);
  const bytes = made.b64_json ? Buffer.from(made.b64_json, 'base64') : await download(context, made.url, signal);
  const prompt = made.revised_prompt ?? body.prompt;
  const image = await context.keepImage(userId, bytes, { name, prompt });
  return {
    type: 'done',
    text: `The picture is made and shown to the reader. It was made from: ${prompt}`,
    outputs: [image],
  };
}

/** The configured model, else dall-e-3, or where the key no longer lists that the first gpt-image model it lists. */
export async function chooseImageModel(
  { service }: { service: Service },
  { config, key, signal }: Pick<ImageAsk, 'config' | 'key' | 'signal'>,
): Promise<string> {
  if (config.model !== undefined) return config.model;
  // A deployment has one model.
  if (config.azureApiVersion !== undefined) return DEFAULT_MODEL;
  const request = { ...placeOf(config, key, '/models'), timeoutMs: LIST_TIMEOUT_MS, signal };
  const listed = await callServiceForJson(service, Models, request).catch((error: unknown) => {
    // Servers without a list are asked for the model that everybody knows.
    if (error instanceof ServiceFailure) return { data: [] };
    throw error;
  });
  const ids = listed.data.map(({ id }) => id);
  if (ids.includes(DEFAULT_MODEL)) return DEFAULT_MODEL;
  return ids.filter((id) => id.startsWith('gpt-image')).toSorted()[0] ?? DEFAULT_MODEL;
}

function placeOf({ baseURL, azureApiVersion }: ImageAsk['config'], key: string, path: string) {
  const url = `${baseURL}${path}`;
  if (azureApiVersion === undefined) return { url, headers: { authorization: `Bearer ${key}` } };
  return { url, query: { 'api-version': azureApiVersion }, headers: { 'api-key': key } };
}

async function download({ egress }: PluginContext, url: string | null | undefined, signal: AbortSignal) {
  const limits = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal };
  try {
    const response = await egress.call(url ?? '', { method: 'GET', headers: {} }, limits);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
  } catch {
    throwIfStopped(signal);
  }
  throw new ServiceFailure('The picture was made, but cannot be fetched.');
}
