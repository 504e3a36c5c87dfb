import { expect, it } from 'vitest';
import { createSpeechDetector } from '../../../../web/src/speech/silence.ts';

const STEP_MS = 50;

/** Feeds levels, each for so many milliseconds; tells what happened and when. */
function hear(...parts: [level: number | ((at: number) => number), ms: number][]): [string, number][] {
  const detector = createSpeechDetector();
  const heard: [string, number][] = [];
  let at = 0;
  for (const [level, ms] of parts) {
    for (const until = at + ms; at < until; at += STEP_MS) {
      const news = detector.add(typeof level === 'number' ? level : level(at), at);
      if (news) heard.push([news, at]);
    }
  }
  return heard;
}

/** Words with short gaps between them. */
const speech = (loud: number, quiet: number) => (at: number) => (at % 400 < 250 ? loud : quiet);

it('a turn begins with speech and ends 1.2 seconds behind it', () => {
  const heard = hear([0.002, 1000], [0.1, 2000], [0.002, 2000]);
  expect(heard.map(([news]) => news)).toEqual(['begun', 'ended']);
  expect(heard[0]?.[1]).toBeLessThanOrEqual(1250);
  expect(heard[1]?.[1]).toBeGreaterThanOrEqual(4100);
  expect(heard[1]?.[1]).toBeLessThanOrEqual(4300);
});

it('pauses between words do not end it', () => {
  expect(hear([0.003, 500], [speech(0.08, 0.003), 8000], [0.003, 1500]).map(([news]) => news)).toEqual([
    'begun',
    'ended',
  ]);
});

it('a click is no speech', () => {
  expect(hear([0.002, 1000], [0.5, 100], [0.002, 3000])).toEqual([]);
});

it('silence is never a turn', () => {
  expect(hear([0.001, 20_000])).toEqual([]);
});

it('a loud room is not speech once it is known, and speech in it is', () => {
  const room = (at: number) => 0.03 + 0.004 * Math.sin(at);
  const heard = hear([room, 30_000], [speech(0.3, 0.03), 3000], [room, 3000]);
  expect(heard.filter(([, at]) => at > 30_000).map(([news]) => news)).toEqual(['begun', 'ended']);
});

it('a room that becomes quiet again is learned at once', () => {
  const heard = hear([0.06, 20_000], [0.002, 1000], [speech(0.03, 0.002), 2000], [0.002, 2000]);
  expect(heard.slice(-2).map(([news]) => news)).toEqual(['begun', 'ended']);
});

it('a long sentence does not become the room', () => {
  const heard = hear([0.003, 1000], [speech(0.1, 0.02), 60_000], [0.003, 2000]);
  expect(heard.map(([news]) => news)).toEqual(['begun', 'ended']);
});

it('turns follow each other', () => {
  const turn: [number | ((at: number) => number), number][] = [
    [speech(0.1, 0.003), 2000],
    [0.003, 2000],
  ];
  expect(hear([0.003, 1000], ...turn, ...turn).map(([news]) => news)).toEqual(['begun', 'ended', 'begun', 'ended']);
});
