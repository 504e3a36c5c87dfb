// POST /api/files/speech/stt and /api/files/speech/tts/manual: sound arrives or is sent as a stream, so they stand beside
// the table of routes (docs/rest-compat.md, Speech).
import { Readable } from 'node:stream';
import type { Context as HonoContext, Hono } from 'hono';
import { KeyRefused } from '../api-keys/principal.ts';
import { discard } from '../files/upload/receive-upload.ts';
import { cutSlowUpload } from '../files/upload/slow-upload.ts';
import { toWebStream } from '../http/web-stream.ts';
import { refuse } from '../platform/errors.ts';
import { logError } from '../platform/log-error.ts';
import { limitSpeech } from '../abuse/call-limits.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import { findCaller, type Caller, type RouteServices } from './caller.ts';
import { receiveRecording } from './receive-recording.ts';
import { readSpoken } from './read-spoken.ts';
import { respondFailed } from './respond-refused.ts';
import { speak } from './speak.ts';
import { transcribe } from './transcribe.ts';

type Answer = (deps: RouteServices, caller: Caller, c: HonoContext<HttpEnv>, signal: AbortSignal) => Promise<Response>;

export const STT_PATH = '/api/files/speech/stt';
const TTS_PATH = '/api/files/speech/tts/manual';

export function mountSpeech(hono: Hono<HttpEnv>, deps: RouteServices): void {
  hono.post(STT_PATH, (c) => respond(deps, 'stt', answerWritten, c));
  hono.post(TTS_PATH, (c) => respond(deps, 'tts', answerSpoken, c));
}

async function respond(
  deps: RouteServices,
  kind: 'stt' | 'tts',
  answer: Answer,
  c: HonoContext<HttpEnv>,
): Promise<Response> {
  const { incoming, outgoing } = c.env;
  const { requestId } = c.var;
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  let userId: string | undefined;
  try {
    const caller = await findCaller(deps, c);
    ({ userId } = caller);
    await limitSpeech(deps.db, userId, kind);
    return await answer(deps, caller, c, left.signal);
  } catch (error) {
    await discard(incoming);
    if (!left.signal.aborted && !(error instanceof KeyRefused))
      logError(deps.log, error, { event: 'request.failed', path: `POST ${c.req.path}`, requestId, userId });
    return respondFailed(error);
  }
}

const answerWritten: Answer = async (deps, caller, c, signal) => {
  const service = deps.config.speech.stt ?? refuse({ type: 'invalid_input', text: NO_STT });
  const { incoming } = c.env;
  const stopWatching = cutSlowUpload(incoming);
  // Then the service is awaited, however long it takes.
  incoming.once('end', stopWatching);
  const announcedBytes = Number(c.req.header('content-length')) || 0;
  const recording = await receiveRecording(incoming).catch((error: unknown) => {
    stopWatching();
    throw error;
  });
  try {
    return Response.json({ text: await transcribe(deps, { ...caller, service, recording, announcedBytes }, signal) });
  } finally {
    stopWatching();
    await recording.leave();
  }
};

const NO_STT = 'This server writes down no speech.';
const NO_TTS = 'This server reads nothing aloud.';

const answerSpoken: Answer = async (deps, caller, c, signal) => {
  const service = deps.config.speech.tts ?? refuse({ type: 'invalid_input', text: NO_TTS });
  const { input: text, voice, speed } = await readSpoken(c.req.raw);
  // Clients keep voices that are no longer offered.
  const known = service.voices.find((one) => one === voice) ?? service.voices[0] ?? '';
  const sound = speak(deps, { ...caller, service, text, voice: known, speed: speed ?? 1 }, signal);
  // What is refused is refused with a status, before the first sound.
  const first = await sound.next();
  const headers = { 'content-type': 'audio/mpeg', 'cache-control': 'private, no-store' };
  // Then only a broken connection tells that it is not whole.
  const breakOff = () => void c.env.outgoing.destroy();
  return new Response(toWebStream(Readable.from(withFirst(first, sound, breakOff), { objectMode: false })), {
    headers,
  });
};

async function* withFirst(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
  breakOff: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } catch {
    breakOff();
  } finally {
    await rest.return(undefined);
  }
}
