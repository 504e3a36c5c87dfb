import type { ProviderCall } from '../provider.ts';
import { eventDataOf, post } from '../sse-client.ts';
import type { LooseContent } from './deltas.ts';

/**
 * Streams Gemini's chunks by an API key. The official client is not used: it reads without a limit, and a keep-alive
 * between two events ends its reading.
 */
export async function* geminiChunks(
  { target, model, onBytes }: ProviderCall,
  body: object,
  signal: AbortSignal,
): AsyncGenerator<LooseContent> {
  const { baseURL, apiKey, endpoint } = target;
  // Tuned models are named with their collection.
  const name = (model.includes('/') ? model : `models/${model}`).split('/').map(encodeURIComponent).join('/');
  const response = await post({
    url: `${baseURL}/v1beta/${name}:streamGenerateContent?alt=sse`,
    headers: { 'x-goog-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
    endpoint,
  });
  for await (const data of eventDataOf(response, onBytes)) yield JSON.parse(data) as LooseContent;
}
