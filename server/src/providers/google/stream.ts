// Streams from Google: Gemini by an API key through the official client; Vertex (Gemini, PaLM and Codey models) by a
// service key through plain server-sent events.
import type { GenerateContentRequest } from '@google/generative-ai';
import { Refusal, refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { keepPicture } from '../compatible/answer-pictures.ts';
import { hasSignatures, refusesSignatures, withoutSignatures } from '../finished-calls.ts';
import { withAnswerTool } from '../answers/answer-tool.ts';
import { withOneCall } from '../answers/one-call.ts';
import { toolDialects } from '../tools/dialects.ts';
import { withFittedTools } from '../tools/with-fitted-tools.ts';
import { geminiBody } from './bodies.ts';
import { createContentReader, type LooseContent } from './deltas.ts';
import { reasonOfGoogle } from './failure.ts';
import { palmDeltas, type LoosePrediction, palmBody } from './palm-body.ts';
import { isPalm } from './palm-models.ts';
import type { ProviderCall } from '../provider.ts';
import { readEventData, post } from '../sse-client.ts';
import { accessTokenFor } from './access-token.ts';
import { formatWay } from './tools.ts';

export const askGoogle = withAnswerTool(withOneCall(withFittedTools(streamGoogle, toolDialects.google)), formatWay);

async function* streamGoogle(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
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
      for (const piece of reader.read(chunk)) {
        const delta = piece.type === 'picture' ? await keepPicture(call, piece) : piece;
        if (delta) yield delta;
      }
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

/** Streams Gemini's raw chunks by an API key. The client's aggregated response has bugs and is not used. */
async function* geminiChunks(
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
  yield* stream;
}

/** Streams the events of a Vertex model. */
async function* vertexChunks<Chunk>(
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
