// Streams from Google: Gemini by an API key through the official client; Vertex (Gemini, PaLM and Codey models) by a
// service key through plain server-sent events.
import { Refusal, refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { hasSignatures, refusesSignatures, withoutSignatures } from '../finished-calls.ts';
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
  const reader = createContentReader(call);
  let isBegun = false;
  try {
    for await (const chunk of chunksOf(call, signal)) {
      isBegun = true;
      yield* reader.read(chunk);
    }
  } catch (error) {
    // Signatures that Google does not take back are left out of a second request.
    if (isBegun || !hasSignatures(call) || !isAboutSignatures(error, call)) throw error;
    return yield* contentDeltas(withoutSignatures(call), signal);
  }
  yield* reader.end();
}

function chunksOf(call: ProviderCall, signal: AbortSignal): AsyncIterable<LooseContent> {
  const body = geminiBody(call);
  if (!call.target.serviceKey) return geminiChunks(call, body, signal);
  return vertexChunks<LooseContent>(call, 'streamGenerateContent', body, signal);
}

function isAboutSignatures(error: unknown, { target }: ProviderCall): boolean {
  const reason = reasonOfGoogle(error, target.endpoint);
  return reason.type === 'provider_refused' && refusesSignatures(reason.status, reason.text);
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
