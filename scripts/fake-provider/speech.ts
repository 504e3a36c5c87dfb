/** OpenAI's audio calls, and those of Azure, ElevenLabs and LocalAI: each with what it documents to refuse. */
import * as z from 'zod';
import { respondWhole, sendJson } from './protocol.ts';
import type { FakeCall, Protocol } from './protocol.ts';

const TRANSCRIPTIONS = /^(?:\/v1|\/openai\/deployments\/[^/]+)\/audio\/transcriptions$/;
const SPEECH = /^(?:\/v1|\/openai\/deployments\/[^/]+)\/audio\/speech$/;
const ELEVEN = /^\/v1\/text-to-speech\/([^/]+)$/;
const LOCAL = '/tts';

/** "File uploads are currently limited to 25 MB": https://platform.openai.com/docs/guides/speech-to-text */
const BYTES_MAX = 25 * 1024 * 1024;
/** "The maximum length is 4096 characters": https://platform.openai.com/docs/api-reference/audio/createSpeech */
const INPUT_MAX = 4096;

const SpeechRequest = z.object({
  model: z.string(),
  input: z.string().max(INPUT_MAX),
  voice: z.string(),
  response_format: z.literal('mp3').optional(),
  speed: z.number().min(0.25).max(4).optional(),
});
const ElevenRequest = z.object({ text: z.string().min(1), model_id: z.string() });
const LocalRequest = z.object({ input: z.string().min(1), model: z.string(), backend: z.string().optional() });

export const speech: Protocol = {
  serves: (method, path) =>
    method === 'POST' && (TRANSCRIPTIONS.test(path) || SPEECH.test(path) || ELEVEN.test(path) || path === LOCAL),
  async respond(call) {
    if (TRANSCRIPTIONS.test(call.path)) return transcribe(call);
    if (ELEVEN.test(call.path)) return speak(call, ElevenRequest, ({ text, model_id: model }) => ({ text, model }));
    if (call.path === LOCAL) return speak(call, LocalRequest, ({ input, model }) => ({ text: input, model }));
    return speak(call, SpeechRequest, ({ input, model }) => ({ text: input, model }));
  },
};

const FORMATS = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm'];

async function transcribe(call: FakeCall): Promise<void> {
  const { line, request } = call;
  const form = readForm(typeof request.body === 'string' ? request.body : '');
  const { model = '', file = '', filename = '' } = form;
  if (file.length > BYTES_MAX)
    return sendJson(line, 413, errorBody(`Maximum content size limit (${BYTES_MAX}) exceeded.`));
  if (!FORMATS.includes(filename.split('.').at(-1) ?? '') || file.includes('unknown format'))
    return sendJson(line, 400, errorBody(`Invalid file format. Supported formats: ${JSON.stringify(FORMATS)}`));
  const script = call.script(call.choose(model, file), file);
  if (script.kind !== 'stream') return respondWhole(script, line, ({ message, code }) => errorBody(message, code));
  // What a test has its browser record is no speech, so the words may be hidden in the file.
  const text = /say:([^\0]{1,200}?):said/.exec(file)?.[1] ?? 'Hello from the recording.';
  const seconds = Number(/seconds:(\d+)/.exec(file)?.[1] ?? NaN);
  const usage = Number.isNaN(seconds) ? {} : { usage: { type: 'duration', seconds } };
  sendJson(line, 200, { text, ...usage });
}

async function speak<T>(
  call: FakeCall,
  schema: z.ZodType<T>,
  read: (body: T) => { text: string; model: string },
): Promise<void> {
  const { line, request } = call;
  const parsed = schema.safeParse(request.body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return sendJson(line, 400, errorBody(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`));
  }
  const { text, model } = read(parsed.data);
  const script = call.script(call.choose(model, text), text);
  if (script.kind !== 'stream') return respondWhole(script, line, ({ message, code }) => errorBody(message, code));
  line.head(200, { 'content-type': 'audio/mpeg' });
  const sound = silence(text.length);
  await line.write(sound.subarray(0, 192));
  for (const step of script.steps) {
    if (step.type === 'cut') return await line.cut('cut');
    if (step.type === 'hang') return await line.hang();
  }
  await line.write(sound.subarray(192));
  line.end();
}

/** A frame of MP3 at 64 kbit/s and 24 kHz that is silent: 24 ms. */
const FRAME = Buffer.concat([Buffer.from([0xff, 0xf3, 0x84, 0xc4]), Buffer.alloc(188)]);
/** About fifteen characters a second. */
const FRAMES_A_CHARACTER = 3;

function silence(characters: number): Buffer {
  return Buffer.concat(Array.from({ length: Math.max(10, characters * FRAMES_A_CHARACTER) }, () => FRAME));
}

/** The fields of a form and its file, whose bytes have become text. */
function readForm(body: string): Record<string, string> {
  const [boundary = ''] = body.split('\r\n', 1);
  const fields: Record<string, string> = {};
  for (const part of body.split(boundary)) {
    const end = part.indexOf('\r\n\r\n');
    const name = /name="([^"]+)"/.exec(part.slice(0, end))?.[1];
    if (end < 0 || name === undefined) continue;
    fields[name] = part.slice(end + 4, -2);
    const filename = /filename="([^"]+)"/.exec(part.slice(0, end))?.[1];
    if (filename !== undefined) fields['filename'] = filename;
  }
  return fields;
}

function errorBody(message: string, code: string | null = null): unknown {
  return { error: { message, type: 'invalid_request_error', param: null, code } };
}
