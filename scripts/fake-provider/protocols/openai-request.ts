/** Reads a chat completions request as leniently as providers do: missing fields have defaults. */
import * as z from 'zod';

export type ChatMessage = { role: string; text: string; images?: ChatImage[] };

export type ChatImage = { mime: string; bytes: number };

export type ChatRequest = {
  model: string;
  messages: ChatMessage[];
  stream: boolean;
  includeUsage: boolean;
  maxTokens: number | undefined;
  stop: string[];
};

const DATA_URL = /^data:((?:image\/(?:png|jpeg|gif|webp)|application\/pdf));base64,([A-Za-z0-9+/]+={0,2})$/;

const imageSchema = z.object({ url: z.string().regex(DATA_URL) }).transform(({ url }) => seenAt(url));

const fileSchema = z.object({ file_data: z.string().regex(DATA_URL) }).transform(({ file_data }) => seenAt(file_data));

const contentSchema = z.union([
  z.string().transform((text): { text: string; images: ChatImage[] } => ({ text, images: [] })),
  z
    .array(
      z.looseObject({ text: z.string().optional(), image_url: imageSchema.optional(), file: fileSchema.optional() }),
    )
    .transform((parts) => ({
      text: parts.map(({ text }) => text ?? '').join(''),
      images: parts.flatMap(({ image_url: image, file }) => file ?? image ?? []),
    })),
]);

const requestSchema = z.object({
  model: z.string().default(''),
  messages: z.array(z.object({ role: z.string(), content: contentSchema.nullish() })),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.number().nullish(),
  max_completion_tokens: z.number().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
});

/** Returns undefined for a body that is not a chat request. Images must be data URLs, as Parley sends them. */
export function readChatRequest(body: unknown): ChatRequest | undefined {
  const { success, data } = requestSchema.safeParse(body);
  if (!success) return undefined;
  return {
    model: data.model,
    messages: data.messages.map(({ role, content }) => ({
      role,
      text: content?.text ?? '',
      images: content?.images ?? [],
    })),
    stream: data.stream ?? false,
    includeUsage: data.stream_options?.include_usage ?? false,
    maxTokens: data.max_completion_tokens ?? data.max_tokens ?? undefined,
    stop: [data.stop ?? []].flat(),
  };
}

function seenAt(url: string): ChatImage {
  const [, mime = '', data = ''] = DATA_URL.exec(url) ?? [];
  return { mime, bytes: Buffer.byteLength(data, 'base64') };
}
