import type { GenerateContentRequest } from '@google/generative-ai';
import type { ProviderCall } from '../provider.ts';
import type { LooseContent } from './deltas.ts';

/** Gemini's answer by an API key, as it comes. The client's summary of it has faults and is never used. */
export async function* geminiChunks(
  { upstream, model }: ProviderCall,
  body: GenerateContentRequest,
  signal: AbortSignal,
): AsyncGenerator<LooseContent> {
  const { GoogleGenerativeAI } = await import('@google/generative-ai');
  // The client does not look at a signal that was given before it listens.
  if (signal.aborted) return;
  const { baseURL: baseUrl, apiKey } = upstream;
  const generator = new GoogleGenerativeAI(apiKey).getGenerativeModel({ model }, { baseUrl, apiVersion: 'v1beta' });
  const { stream, response } = await generator.generateContentStream(body, { signal });
  // Nobody waits for it, so nobody would hear that it failed.
  response.catch(() => undefined);
  yield* stream as AsyncIterable<LooseContent>;
}
