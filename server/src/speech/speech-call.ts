// A call of a service of speech: reserved before it is made, charged for what was written down or read, in one place for
// both.
import { randomUUID } from 'node:crypto';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { speechRates } from '@parley/schema/speech/rates';
import { startCall, type AskProvider, type RunningCall } from '../chat/api-calls/run-call.ts';
import type { SpeechService } from '../config/parts/speech.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import { reasonOfStatus } from '../providers/status.ts';
import { failureIn } from '../providers/compatible/read-failure.ts';
import { maskSecrets } from '../platform/secrets.ts';
import { fetchUnredirected, readBounded } from '../platform/deadline.ts';
import type { Client } from '../platform/requests/client.ts';
import type { SpeechServices } from './speech-services.ts';

export interface SpeechAsk {
  kind: 'stt' | 'tts';
  service: SpeechService;
  userId: string;
  client: Client | null;
  /** Seconds or characters, at most: what is reserved. */
  units: number;
}

/** Their usage and their rules are those of these endpoint types. */
const TYPES: Readonly<Record<SpeechService['wire'], EndpointType>> = {
  openAI: 'openAI',
  azureOpenAI: 'azureOpenAI',
  elevenLabs: 'custom',
  localAI: 'custom',
};

/**
 * Begins a call. Its provider is asked while the deltas are read, and its usage is in seconds or characters.
 * @throws Refusal for a model that is not for this person, or what limits and budgets do not allow
 */
export async function startSpeech(
  { apiCalls, access }: SpeechServices,
  { kind, service, userId, client, units }: SpeechAsk,
  ask: AskProvider,
  signal: AbortSignal,
): Promise<RunningCall> {
  const { wire, model, isElsewhere } = service;
  if (!(await access.permits(userId, wire, model))) refuse({ type: 'model_not_yours', endpoint: wire, model });
  const id = randomUUID();
  const charge = {
    userId,
    owner: apiCalls.owner,
    generationId: id,
    endpointType: TYPES[wire],
    model,
    settings: {},
    rates: speechRates(kind, model, isElsewhere),
    isUsersServer: false,
    countPromptTokens: async () => Math.ceil(units),
  };
  const holder = { userId, keyId: null };
  return startCall(apiCalls, { id, kind: 'speech', holder, client, endpoint: wire, model, charge }, ask, signal);
}

/** How a service knows the operator. */
function keyHeaders({ wire, apiKey }: SpeechService): Record<string, string> {
  if (apiKey === undefined) return {};
  if (wire === 'azureOpenAI') return { 'api-key': apiKey };
  return wire === 'elevenLabs' ? { 'xi-api-key': apiKey } : { authorization: `Bearer ${apiKey}` };
}

/** What is read of a refusal, in bytes. */
const REFUSAL_BYTES_MAX = 64 * 1024;

/**
 * Posts to a service of the operator's, which is called as providers are: by its proxy, and without following it elsewhere.
 * @throws Refusal with the reason where it does not do what it is asked; what `signal` aborts with
 */
export async function postSpeech(
  service: SpeechService,
  url: string,
  init: { headers: Record<string, string>; body: string | ReadableStream<Uint8Array> },
  signal: AbortSignal,
): Promise<Response> {
  const headers = { ...keyHeaders(service), ...init.headers };
  // A body that is a stream needs `duplex`, which the types of the platform lack.
  const request = { method: 'POST', headers, body: init.body, duplex: 'half', signal };
  const response = await fetchUnredirected(url, request).catch((error: unknown) => throwFailure(error, signal));
  if (response.ok) return response;
  const { status } = response;
  const body = await readBounded(response, REFUSAL_BYTES_MAX, () => new Error('The refusal is too long')).catch(
    () => '',
  );
  const { text, code } = failureIn(body.toString());
  const said = maskSecrets(text, service.apiKey === undefined ? [] : [service.apiKey]);
  return refuse(reasonOfStatus({ status, headers: response.headers, text: said, code }, service.wire));
}

/** The reason of what `fetch` throws, or a stream of it; a stop stays one, and so does what our own bytes end with. */
export function throwFailure(error: unknown, signal: AbortSignal): never {
  const cause = error instanceof Error && error.cause instanceof Refusal ? error.cause : error;
  if (signal.aborted || cause instanceof Refusal) throw cause;
  return refuse({ type: 'provider_unavailable', status: null });
}
