// Calls of the server for speech: sound that is sent, and sound that comes.
import { asFields, parseJson } from '@parley/schema/json';
import type { Reason } from '@parley/schema/reasons';
import type { TFunction } from 'i18next';
import { describeReason } from '../errors/describe-reason.ts';
import { requestHeaders, session } from '../session/current-session.ts';

/** What the server says of a call that it refuses; null where it does not answer. */
export class SpeechError extends Error {
  readonly reason: Reason | null;

  constructor(reason: Reason | null) {
    super(reason?.type ?? 'The server did not answer');
    this.reason = reason;
  }
}

/** What was said in a recording. @throws SpeechError; the reason of `signal` once that aborts */
export async function writeDown(recording: Blob, signal: AbortSignal): Promise<string> {
  const form = new FormData();
  form.append('audio', recording, 'recording');
  const answer = await (await post('/api/files/speech/stt', form, signal)).text();
  const { text } = asFields(parseJson(answer));
  return typeof text === 'string' ? text : '';
}

/** The sound of a text. @throws as `writeDown` */
export async function fetchSpoken(input: string, voice: string | null, signal: AbortSignal): Promise<Blob> {
  const form = new FormData();
  form.append('input', input);
  if (voice !== null) form.append('voice', voice);
  return (await post('/api/files/speech/tts/manual', form, signal)).blob();
}

async function post(path: string, body: FormData, signal: AbortSignal): Promise<Response> {
  const token = await session.freshToken().catch(() => null);
  const response = await send(path, body, token, signal);
  if (response.status !== 401) return assertDone(response);
  return assertDone(await send(path, body, await session.refresh().catch(() => null), signal));
}

async function send(path: string, body: FormData, token: unknown, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(path, { method: 'POST', body, headers: requestHeaders(token), signal });
  } catch {
    signal.throwIfAborted();
    throw new SpeechError(null);
  }
}

async function assertDone(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { reason } = asFields(parseJson(await response.text().catch(() => '')));
  if (isReason(reason)) throw new SpeechError(reason);
  throw new SpeechError(response.status === 401 ? { type: 'unauthorized' } : { type: 'unavailable' });
}

function isReason(value: unknown): value is Reason {
  return typeof asFields(value).type === 'string';
}

/** A sentence for whatever such a call threw. */
export function describeSpeechError(error: unknown, t: TFunction): string {
  const reason = error instanceof SpeechError ? error.reason : null;
  return reason ? describeReason(reason, t) : t('com_error_network');
}
