// Streams from Google: Gemini by an API key through the official client; Vertex (Gemini, PaLM and Codey models) by a
// service key through plain server-sent events.
import { Refusal, refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { geminiBody } from './bodies.ts';
import { createContentReader, type LooseContent } from './deltas.ts';
import { reasonOfGoogle } from './failure.ts';
import { geminiChunks } from './gemini.ts';
import { palmBody } from './palm-body.ts';
import { palmDeltas, type LoosePrediction } from './palm-deltas.ts';
import { isPalm } from './palm-models.ts';
import { vertexChunks } from './vertex.ts';
import type { ProviderCall } from '../provider.ts';

export async function* streamGoogle(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const { serviceKey, endpoint } = call.target;
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
  const chunks: AsyncIterable<LooseContent> = call.target.serviceKey
    ? vertexChunks<LooseContent>(call, 'streamGenerateContent', body, signal)
    : geminiChunks(call, body, signal);
  const reader = createContentReader(call.target.endpoint);
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
}

async function* predictionDeltas(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const chunks = vertexChunks<LoosePrediction>(call, 'serverStreamingPredict', palmBody(call), signal);
  let isBlocked = false;
  for await (const chunk of chunks) {
    for (const delta of palmDeltas(chunk, call.target.endpoint)) {
      isBlocked ||= delta.type === 'finish';
      yield delta;
    }
  }
  // A complete answer has no explicit end; a broken connection throws instead.
  if (!isBlocked) yield { type: 'finish', reason: 'stop' };
}
