import type { GenerateContentRequest } from '@google/generative-ai';
import type { ProviderCall } from '../provider.ts';
import type { LooseContent } from './deltas.ts';

/** Streams Gemini's raw chunks by an API key. The client's aggregated response has bugs and is not used. */
export async function* geminiChunks(
  { target, model }: ProviderCall,
  body: GenerateContentRequest,
  signal: AbortSignal,
): AsyncGenerator<LooseContent> {
  const { GoogleGenerativeAI } = await import('@google/generative-ai');
  // The client ignores a signal that is already aborted.
  if (signal.aborted) return;
  const { baseURL: baseUrl, apiKey } = target;
  const generator = new GoogleGenerativeAI(apiKey).getGenerativeModel({ model }, { baseUrl, apiVersion: 'v1beta' });
  const { stream, response } = await generator.generateContentStream(body, { signal });
  // Unused: its rejection must not become an unhandled one.
  response.catch(() => undefined);
  yield* stream as AsyncIterable<LooseContent>;
}
