/** Reads a chat completions request as leniently as providers do: what is missing has a default. */
import * as z from 'zod';

export type ChatMessage = { role: string; text: string };

export type ChatRequest = {
  model: string;
  messages: ChatMessage[];
  stream: boolean;
  includeUsage: boolean;
  maxTokens: number | undefined;
  stop: string[];
};

const contentSchema = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().optional() }))
    .transform((parts) => parts.map(({ text }) => text ?? '').join('')),
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

/** Returns undefined for a body that is not a chat request. Parts of a message that are not text read as nothing. */
export function readChatRequest(body: unknown): ChatRequest | undefined {
  const { success, data } = requestSchema.safeParse(body);
  if (!success) return undefined;
  return {
    model: data.model,
    messages: data.messages.map(({ role, content }) => ({ role, text: content ?? '' })),
    stream: data.stream ?? false,
    includeUsage: data.stream_options?.include_usage ?? false,
    maxTokens: data.max_completion_tokens ?? data.max_tokens ?? undefined,
    stop: [data.stop ?? []].flat(),
  };
}

/** The newest text of the user, or an empty string. */
export function lastUserText(messages: ChatMessage[]): string {
  return messages.findLast(({ role }) => role === 'user')?.text ?? '';
}

/** Roughly how many tokens a text is: four characters each, as English goes. */
export function roughTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
