// Has a recording written down. Its bytes go on to the service while they arrive.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { parseJson } from '@parley/schema/json';
import { RECORDING_BYTES_MAX, RECORDING_SECONDS_MAX } from '@parley/schema/speech/limits';
import * as z from 'zod';
import type { SpeechService } from '../config/parts/speech.ts';
import type { Delta } from '../generation/delta.ts';
import { toWebStream } from '../http/web-stream.ts';
import { readBounded } from '../platform/deadline.ts';
import { Refusal, refuse } from '../platform/errors.ts';
import type { Client } from '../platform/requests/client.ts';
import type { Recording } from './receive-recording.ts';
import { postSpeech, startSpeech, throwFailure } from './speech-call.ts';
import type { SpeechServices } from './speech-services.ts';

/** `seconds` is what OpenAI bills, where it bills by the time. */
const Answer = z.object({ text: z.string(), usage: z.object({ seconds: z.number().min(0).optional() }).nullish() });

/** Ten minutes of quick speech are 12 kB. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Nobody records speech with fewer bytes a second: so many seconds are reserved for what was announced. */
const LEAST_BYTES_A_SECOND = 1000;

export interface TranscribeAsk {
  service: SpeechService;
  userId: string;
  client: Client | null;
  recording: Recording;
  /** The length of the request, as its sender announces it. */
  announcedBytes: number;
}

/** What was said. @throws Refusal */
export async function transcribe(deps: SpeechServices, ask: TranscribeAsk, signal: AbortSignal): Promise<string> {
  const { recording, announcedBytes, ...call } = ask;
  const bytes = announcedBytes > 0 ? announcedBytes : RECORDING_BYTES_MAX;
  const units = Math.min(RECORDING_SECONDS_MAX, Math.ceil(bytes / LEAST_BYTES_A_SECOND));
  let text = '';
  const { deltas } = await startSpeech(
    deps,
    { kind: 'stt', ...call, units },
    async function* written(until, onBytes): AsyncGenerator<Delta> {
      const answer = await write(call.service, recording, onBytes, until);
      ({ text } = answer);
      yield { type: 'usage', input: Math.ceil(answer.usage?.seconds ?? recording.seconds()), output: 0 };
      yield { type: 'finish', reason: 'stop' };
    },
    signal,
  );
  // The text is there at its end.
  for await (const _ of deltas);
  signal.throwIfAborted();
  return text.trim();
}

async function write(service: SpeechService, recording: Recording, onBytes: () => void, signal: AbortSignal) {
  const boundary = randomUUID();
  const body = formOf(service, recording, boundary, onBytes);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, accept: 'application/json' };
  try {
    const response = await postSpeech(
      service,
      service.url,
      { headers, body: toWebStream(Readable.from(body, { objectMode: false })) },
      signal,
    );
    const tooLong = () => new Refusal({ type: 'provider_malformed' });
    const answer = Answer.safeParse(parseJson((await readBounded(response, ANSWER_BYTES_MAX, tooLong)).toString()));
    return answer.success ? answer.data : refuse({ type: 'provider_malformed' });
  } catch (error) {
    return throwFailure(error, signal);
  }
}

/** The form that OpenAI takes. The name of the file tells it the format. */
async function* formOf(
  { model }: SpeechService,
  { type, bytes }: Recording,
  boundary: string,
  onBytes: () => void,
): AsyncGenerator<Uint8Array> {
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="recording.${type.name}"\r\nContent-Type: ${type.mime}\r\n\r\n`;
  yield Buffer.from(field('model', model) + field('response_format', 'json') + file);
  for await (const piece of bytes()) {
    onBytes();
    yield piece;
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}
