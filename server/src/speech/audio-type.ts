// The type of a recording by its first bytes: what browsers record, and what OpenAI takes.

export interface AudioType {
  name: 'webm' | 'ogg' | 'mp4' | 'wav' | 'mp3' | 'flac';
  mime: string;
}

/** How many bytes tell the type. */
export const AUDIO_HEAD_BYTES = 12;

const TYPES: readonly (AudioType & { matches(head: Buffer): boolean })[] = [
  { name: 'webm', mime: 'audio/webm', matches: (head) => head.readUInt32BE(0) === 0x1a45dfa3 },
  { name: 'ogg', mime: 'audio/ogg', matches: (head) => begins(head, 'OggS') },
  { name: 'mp4', mime: 'audio/mp4', matches: (head) => head.toString('latin1', 4, 8) === 'ftyp' },
  {
    name: 'wav',
    mime: 'audio/wav',
    matches: (head) => begins(head, 'RIFF') && head.toString('latin1', 8, 12) === 'WAVE',
  },
  { name: 'flac', mime: 'audio/flac', matches: (head) => begins(head, 'fLaC') },
  // Tags before the first frame, or a frame of layer 3.
  {
    name: 'mp3',
    mime: 'audio/mpeg',
    matches: (head) =>
      begins(head, 'ID3') || ((head.readUInt16BE(0) & 0xffe6) === 0xffe2 && (head.readUInt8(2) & 0xf0) !== 0xf0),
  },
];

/** Null for anything else, also for fewer than `AUDIO_HEAD_BYTES` bytes. */
export function audioType(head: Buffer): AudioType | null {
  if (head.length < AUDIO_HEAD_BYTES) return null;
  return TYPES.find(({ matches }) => matches(head)) ?? null;
}

function begins(head: Buffer, word: string): boolean {
  return head.toString('latin1', 0, word.length) === word;
}
