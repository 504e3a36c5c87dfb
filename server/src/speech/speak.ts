// Has a text read aloud, as MP3 that is handed on while it arrives. The same text costs nothing a second time that day.
import type { DeepReadonly } from '../config/freeze.ts';
import type { ReadingService } from '../config/parts/speech.ts';
import type { Delta } from '../generation/delta.ts';
import type { Client } from '../platform/requests/client.ts';
import { postSpeech, startSpeech, throwFailure } from './speech-call.ts';
import { findSpoken, spokenKey, storeSpoken, type Spoken } from './spoken-cache.ts';
import type { SpeechServices } from './speech-services.ts';

export interface SpeakAsk extends Spoken {
  service: DeepReadonly<ReadingService>;
  client: Client | null;
}

/** What OpenAI takes in one call, in characters. */
const PIECE_CHARS_MAX = 4096;

/** The sound of a text, in pieces. @throws Refusal at the first piece, or later where the service breaks off */
export async function* speak(deps: SpeechServices, ask: SpeakAsk, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const key = spokenKey(ask);
  const known = await findSpoken(deps.config, key);
  if (known) yield* known;
  else yield* storeSpoken(deps.config, key, made(deps, ask, signal));
}

async function* made(deps: SpeechServices, ask: SpeakAsk, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { service, userId, client, text } = ask;
  /** Of the delta that comes next. */
  const sound: Uint8Array[] = [];
  const { deltas } = await startSpeech(
    deps,
    { kind: 'tts', service, userId, client, units: text.length },
    (until) => soundOf(ask, sound, until),
    signal,
  );
  for await (const _ of deltas) {
    yield* sound;
    sound.length = 0;
  }
  // What was left is no whole reading.
  signal.throwIfAborted();
}

async function* soundOf(ask: SpeakAsk, sound: Uint8Array[], signal: AbortSignal): AsyncGenerator<Delta> {
  let input = 0;
  for (const piece of splitSpoken(ask.text)) {
    const response = await post(ask, piece, signal);
    // From now on the service charges for it, even if nobody listens.
    input += piece.length;
    yield { type: 'usage', input, output: 0 };
    try {
      for await (const chunk of response.body ?? []) {
        sound.push(chunk);
        yield { type: 'working' };
      }
    } catch (error) {
      throwFailure(error, signal);
    }
  }
  yield { type: 'finish', reason: 'stop' };
}

function post({ service, voice, speed }: SpeakAsk, input: string, signal: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'audio/mpeg' };
  const { url, body } = requestOf(service, { input, voice, speed });
  return postSpeech(service, url, { headers, body: JSON.stringify(body) }, signal);
}

/** What each protocol calls it. */
function requestOf(
  { wire, url, model, extras }: DeepReadonly<ReadingService>,
  { input, voice, speed }: { input: string; voice: string; speed: number },
): { url: string; body: Record<string, unknown> } {
  const quicker = speed === 1 ? {} : { speed };
  switch (wire) {
    case 'openAI':
    case 'azureOpenAI':
      return { url, body: { model, input, voice, response_format: 'mp3', ...quicker } };
    case 'localAI':
      return { url, body: { input, model: voice, ...extras } };
    case 'elevenLabs':
      return { url: `${url}/${encodeURIComponent(voice)}`, body: { text: input, model_id: model, ...extras } };
    default:
      return wire satisfies never;
  }
}

/** Ends between two sentences, else between two words, where there is one in its second half. */
export function splitSpoken(text: string, max = PIECE_CHARS_MAX): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const most = rest.slice(0, max);
    const ends = [/^[^]*[.!?。！？](?=\s)/u, /^[^]*(?=\s)/u].map((pattern) => pattern.exec(most)?.[0].length ?? 0);
    const surrogate = /[\uD800-\uDBFF]$/.test(most) ? 1 : 0;
    const end = ends.find((one) => one > max / 2) ?? max - surrogate;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? pieces : [...pieces, rest];
}
