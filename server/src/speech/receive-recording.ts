// Receives a form with a recording. Nothing of it is stored: its bytes are handed on while they arrive.
import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { RECORDING_BYTES_MAX, RECORDING_SECONDS_MAX } from '@parley/schema/speech/limits';
import { refuse } from '../platform/errors.ts';
import { AUDIO_HEAD_BYTES, audioType, type AudioType } from './audio-type.ts';
import { createAudioClock } from './audio-clock.ts';

export interface Recording {
  type: AudioType;
  /** Its bytes, to be read once. Throws a Refusal where it is too long or too large. */
  bytes(): AsyncGenerator<Buffer>;
  /** Of what has been read so far. */
  seconds(): number;
  /** Reads no more of it: what its sender still sends is for the code that answers. */
  leave(): Promise<void>;
}

/** Fields beside it, such as the model that some clients name, are read and dropped. */
const LIMITS = { files: 1, fields: 20, parts: 21, fieldNameSize: 100, fieldSize: 16 * 1024, headerPairs: 50 };
/** What clocks are wrong by, in seconds. */
const TOLERANCE_SECONDS = 5;

const NOT_AUDIO = 'This is no recording that can be written down: it must be WebM, Ogg, MP4, WAV, MP3 or FLAC.';
const NO_FILE = 'The form must have the recording in its field audio.';

/**
 * Resolves when the recording begins to arrive.
 * @throws Refusal `invalid_input` for a form without one, or one that is no sound
 */
export async function receiveRecording(incoming: IncomingMessage): Promise<Recording> {
  const pieces = fileIn(incoming);
  const begun = await readHead(pieces);
  const leave = async () => void (await pieces.return(undefined));
  const type = audioType(begun);
  if (!type) {
    await leave();
    return refuse({ type: 'invalid_input', text: begun.length === 0 ? NO_FILE : NOT_AUDIO });
  }
  const clock = createAudioClock(type.name);
  let size = 0;
  return { type, seconds: clock.seconds, bytes, leave };

  async function* bytes(): AsyncGenerator<Buffer> {
    yield count(begun);
    for await (const piece of pieces) yield count(piece);
  }

  function count(piece: Buffer): Buffer {
    size += piece.length;
    clock.add(piece);
    if (size > RECORDING_BYTES_MAX)
      refuse({ type: 'invalid_input', text: 'The recording is larger than 25 MB. Please record less at once.' });
    if (clock.seconds() > RECORDING_SECONDS_MAX + TOLERANCE_SECONDS)
      refuse({ type: 'invalid_input', text: 'The recording is longer than ten minutes. Please record less at once.' });
    return piece;
  }
}

/** As much as tells the type, or all of a shorter one. */
async function readHead(pieces: AsyncGenerator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < AUDIO_HEAD_BYTES) {
    const { value, done } = await pieces.next();
    if (done) return head;
    head = Buffer.concat([head, value]);
  }
  return head;
}

/** The bytes of the field `audio`; nothing where there is none. */
async function* fileIn(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  const parser = openParser(incoming);
  const found = new Promise<AsyncIterable<Buffer> | null>((resolve, reject) => {
    parser.on('file', (name, stream) => {
      // A form that breaks off destroys its stream, also one that nobody reads.
      stream.on('error', () => undefined);
      if (name === 'audio') resolve(stream);
      else stream.resume();
    });
    parser.once('close', () => resolve(null));
    parser.once('error', reject);
  });
  const leave = () => incoming.complete || parser.destroy(new Error('The sender left'));
  incoming.once('error', leave);
  incoming.once('close', leave);
  incoming.pipe(parser);
  try {
    const file = await found.catch(() => refuse({ type: 'invalid_input', text: 'The form is not complete.' }));
    if (file) yield* file;
  } finally {
    incoming.unpipe(parser);
    incoming.off('error', leave);
    incoming.off('close', leave);
  }
}

function openParser(incoming: IncomingMessage) {
  try {
    return busboy({ headers: incoming.headers, limits: LIMITS });
  } catch {
    return refuse({ type: 'invalid_input', text: NO_FILE });
  }
}
