// Tests of this room: tests/unit/speech, tests/integration/speech.

// How long a recording is, told by its bytes while they pass: a recording that is streamed has no length in its head.
import type { AudioType } from './audio-type.ts';

export interface AudioClock {
  /** Bytes in their order, in pieces of any size. */
  add(piece: Buffer): void;
  /** So far; an estimate where the format does not say. */
  seconds(): number;
}

/** Of the head of a file, where formats say how fast it plays. */
const HEAD_BYTES = 64 * 1024;
/** The longest mark with its value, which may be cut by the end of a piece. */
const OVERLAP_BYTES = 32;
/** 32 kbit/s, as browsers record speech at the least. */
const USUAL_BYTES_A_SECOND = 4000;
/** Opus counts in samples of 48 kHz, whatever it was recorded with. */
const OPUS_RATE = 48_000;

type Reader = (bytes: Buffer, isHead: boolean) => Partial<Facts>;

interface Facts {
  /** From the beginning to what was read last. */
  seconds: number;
  bytesASecond: number;
}

const READERS: Readonly<Record<AudioType['name'], Reader>> = {
  webm: (bytes) => readWebm(bytes),
  ogg: (bytes) => readOgg(bytes),
  mp4: (bytes, isHead) => (isHead ? readMp4(bytes) : {}),
  wav: (bytes, isHead) => (isHead ? readWav(bytes) : {}),
  mp3: (bytes, isHead) => (isHead ? readMp3(bytes) : {}),
  flac: (bytes, isHead) => (isHead ? readFlac(bytes) : {}),
};

export function createAudioClock(type: AudioType['name']): AudioClock {
  const read = READERS[type];
  const facts: Facts = { seconds: 0, bytesASecond: 0 };
  let bytes = 0;
  let head = Buffer.alloc(0);
  let before = Buffer.alloc(0);
  return { add, seconds };

  function add(piece: Buffer): void {
    bytes += piece.length;
    const isHead = head.length < HEAD_BYTES;
    if (isHead) head = Buffer.concat([head, piece]);
    const text = isHead ? head : Buffer.concat([before, piece]);
    const found = read(text, isHead);
    facts.seconds = Math.max(facts.seconds, found.seconds ?? 0);
    facts.bytesASecond = found.bytesASecond ?? facts.bytesASecond;
    before = text.subarray(-OVERLAP_BYTES);
  }

  function seconds(): number {
    if (facts.seconds > 0) return facts.seconds;
    return bytes / (facts.bytesASecond > 0 ? facts.bytesASecond : USUAL_BYTES_A_SECOND);
  }
}

/** A cluster, the size of any length, and its time in milliseconds. */
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
const CLUSTER_TIME = 0xe7;
/** Browsers begin a cluster each second or more; the one that is open has a little more than its time. */
const OPEN_CLUSTER_SECONDS = 1;

function readWebm(bytes: Buffer): Partial<Facts> {
  let last: number | undefined;
  for (let at = bytes.indexOf(CLUSTER); at >= 0; at = bytes.indexOf(CLUSTER, at + 1)) {
    const sizeAt = at + CLUSTER.length;
    const first = bytes[sizeAt];
    if (first === undefined) break;
    const timeAt = sizeAt + Math.clz32(first) - 23;
    const length = (bytes[timeAt + 1] ?? 0) & 0x7f;
    if (bytes[timeAt] !== CLUSTER_TIME || length < 1 || length > 6 || timeAt + 2 + length > bytes.length) continue;
    last = bytes.readUIntBE(timeAt + 2, length);
  }
  return last === undefined ? {} : { seconds: last / 1000 + OPEN_CLUSTER_SECONDS };
}

const PAGE = Buffer.from('OggS');
const NO_POSITION = 2n ** 63n;

/** Each page says how many samples have passed at its end. */
function readOgg(bytes: Buffer): Partial<Facts> {
  let samples = 0n;
  for (let at = bytes.indexOf(PAGE); at >= 0 && at + 14 <= bytes.length; at = bytes.indexOf(PAGE, at + 1)) {
    const position = bytes.readBigUInt64LE(at + 6);
    if (position < NO_POSITION && position > samples) samples = position;
  }
  return { seconds: Number(samples) / OPUS_RATE };
}

/** The head of a film, where it stands before the sound; a film in fragments says 0 there. */
function readMp4(bytes: Buffer): Partial<Facts> {
  const at = bytes.indexOf('mvhd', 0, 'latin1') + 4;
  if (at < 4 || at + 32 > bytes.length) return {};
  const isLong = bytes[at] === 1;
  const scale = bytes.readUInt32BE(at + (isLong ? 20 : 12));
  const duration = isLong ? Number(bytes.readBigUInt64BE(at + 24)) : bytes.readUInt32BE(at + 16);
  return scale > 0 && duration < 0xffffffff ? { seconds: duration / scale } : {};
}

function readWav(bytes: Buffer): Partial<Facts> {
  const at = bytes.indexOf('fmt ', 12, 'latin1');
  return at < 0 || at + 20 > bytes.length ? {} : { bytesASecond: bytes.readUInt32LE(at + 16) };
}

/** In kbit/s, of layer 3: those of version 1, and those of 2 and 2.5. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;

function readMp3(bytes: Buffer): Partial<Facts> {
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 3 <= bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const [second = 0, third = 0] = bytes.subarray(at + 1);
    if ((second & 0xe6) !== 0xe2) continue;
    const kilobits = BITRATES[(second & 0x08) !== 0 ? 0 : 1][third >> 4];
    if (kilobits) return { bytesASecond: (kilobits * 1000) / 8 };
  }
  return {};
}

/** The first block has the rate in 20 bits and the samples in 36. */
function readFlac(bytes: Buffer): Partial<Facts> {
  if (bytes.length < 26) return {};
  const rate = bytes.readUIntBE(18, 3) >> 4;
  const samples = (bytes.readUInt8(21) & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22);
  return rate > 0 && samples > 0 ? { seconds: samples / rate } : {};
}
