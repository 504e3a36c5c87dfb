import { readEventData, post } from '../sse-client.ts';
import type { ProviderCall } from '../provider.ts';
import { accessTokenFor } from './access-token.ts';

/** Streams the events of a Vertex model. */
export async function* vertexChunks<Chunk>(
  { target, model, onBytes }: ProviderCall,
  method: 'streamGenerateContent' | 'serverStreamingPredict',
  body: object,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  const { serviceKey, baseURL, endpoint, google } = target;
  if (!serviceKey || !google) return;
  const token = await accessTokenFor(serviceKey, endpoint, signal);
  const resource = `projects/${serviceKey.projectId}/locations/${google.location}/publishers/google/models/${model}`;
  const response = await post({
    url: `${baseURL}/v1/${resource}:${method}?alt=sse`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
    endpoint,
  });
  for await (const data of readEventData(response, onBytes)) yield JSON.parse(data) as Chunk;
}
