import { dataOf, post } from '../plain-wire.ts';
import type { ProviderCall } from '../provider.ts';
import { signIn } from './sign-in.ts';

const LOCATION = 'us-central1';

/** What a model of Vertex says to a streaming call, event by event. */
export async function* vertexChunks<Chunk>(
  { upstream, model }: ProviderCall,
  method: 'streamGenerateContent' | 'serverStreamingPredict',
  body: object,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  const { serviceKey, baseURL, endpoint } = upstream;
  if (!serviceKey) return;
  const token = await signIn(serviceKey, endpoint, signal);
  const place = `projects/${serviceKey.projectId}/locations/${LOCATION}/publishers/google/models/${model}`;
  const response = await post({
    url: `${baseURL}/v1/${place}:${method}?alt=sse`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
    endpoint,
  });
  for await (const data of dataOf(response)) yield JSON.parse(data) as Chunk;
}
