// Google: Gemini by an API key through the official client; by a service key Vertex, where Gemini and the older PaLM
// and Codey models answer, by the plain wire.
import { Refusal, refuse } from '../errors.ts';
import type { Delta } from '../generation/delta.ts';
import { geminiBody } from './google/bodies.ts';
import { createContentReader, type LooseContent } from './google/deltas.ts';
import { reasonOfGoogle } from './google/failure.ts';
import { geminiChunks } from './google/gemini.ts';
import { palmBody } from './google/palm-body.ts';
import { palmDeltas, type LoosePrediction } from './google/palm-deltas.ts';
import { isPalm } from './google/palm-models.ts';
import { vertexChunks } from './google/vertex.ts';
import type { ProviderCall } from './provider.ts';

export async function* google(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const { serviceKey, endpoint } = call.upstream;
  try {
    if (!isPalm(call.model)) yield* contentDeltas(call, signal);
    else if (serviceKey) yield* predictionDeltas(call, signal);
    else refuse({ type: 'no_service_key', endpoint, model: call.model });
  } catch (error) {
    throw new Refusal(reasonOfGoogle(error, endpoint));
  }
}

async function* contentDeltas(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const body = geminiBody(call);
  const chunks: AsyncIterable<LooseContent> = call.upstream.serviceKey
    ? vertexChunks<LooseContent>(call, 'streamGenerateContent', body, signal)
    : geminiChunks(call, body, signal);
  const reader = createContentReader(call.upstream.endpoint);
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
}

async function* predictionDeltas(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const chunks = vertexChunks<LoosePrediction>(call, 'serverStreamingPredict', palmBody(call), signal);
  let isBlocked = false;
  for await (const chunk of chunks) {
    for (const delta of palmDeltas(chunk, call.upstream.endpoint)) {
      isBlocked ||= delta.type === 'finish';
      yield delta;
    }
  }
  // An answer that is whole ends without a word about it; a connection that was cut throws instead.
  if (!isBlocked) yield { type: 'finish', reason: 'stop' };
}
