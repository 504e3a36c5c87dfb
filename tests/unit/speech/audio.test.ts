import { createAudioClock } from '@parley/server/speech/audio-clock';
import { audioType, type AudioType } from '@parley/server/speech/audio-type';
import { expect, it } from 'vitest';
import { flac, mp3, mp4, ogg, wav, webm } from '../../support/speech/recordings.ts';

const RECORDINGS: readonly [AudioType['name'], Buffer, number][] = [
  ['wav', wav(12), 12],
  ['webm', webm(0, 1000, 5_400), 6.4],
  ['ogg', ogg(0, 48_000, 480_000), 10],
  ['mp4', mp4(31), 31],
  ['mp3', mp3(9), 9],
  ['flac', flac(61), 61],
];

it.each(RECORDINGS)('%s is known by its bytes and tells how long it is', (name, bytes, seconds) => {
  expect(audioType(bytes)?.name).toBe(name);
  expect(secondsOf(name, bytes, bytes.length)).toBeCloseTo(seconds, 1);
});

it.each(RECORDINGS)('%s tells the same when it arrives in pieces of any size', (name, bytes, seconds) => {
  for (const size of [7, 100, 1000]) expect(secondsOf(name, bytes, size)).toBeCloseTo(seconds, 1);
});

it('a recording without a length is estimated by its size', () => {
  expect(secondsOf('mp4', Buffer.alloc(40_000), 40_000)).toBe(10);
});

it('a longer WebM keeps the time of its last cluster when the head has long passed', () => {
  const bytes = Buffer.concat([webm(0), Buffer.alloc(200_000), webm(300_000)]);
  expect(secondsOf('webm', bytes, 4096)).toBeCloseTo(301, 1);
});

it.each([
  ['a PDF', Buffer.from('%PDF-1.7 and so on')],
  ['text', Buffer.from('Dear diary, today I said')],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n____', 'latin1')],
  ['a film of another kind', Buffer.from('RIFF____AVI LIST')],
  ['too few bytes', Buffer.from('RIFF')],
])('%s is no recording', (_, bytes) => {
  expect(audioType(bytes)).toBeNull();
});

function secondsOf(name: AudioType['name'], bytes: Buffer, size: number): number {
  const clock = createAudioClock(name);
  for (let at = 0; at < bytes.length; at += size) clock.add(bytes.subarray(at, at + size));
  return clock.seconds();
}
