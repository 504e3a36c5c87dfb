// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFrames, type Frames } from '../../../../web/src/chat/exchanges/frames.ts';

let frames: Frames;
/** What is drawn, in order. */
let drawn: string[];

beforeEach(() => {
  vi.useFakeTimers();
  frames = createFrames();
  drawn = [];
});
afterEach(() => void vi.useRealTimers());

function arrive(...texts: string[]): void {
  for (const text of texts) frames.draw(text.charAt(0), () => drawn.push(text));
}

test('a single reply is drawn in every frame, with the newest text', () => {
  arrive('a1', 'a2');
  vi.advanceTimersToNextFrame();
  expect(drawn.splice(0)).toEqual(['a2']);
  arrive('a3');
  vi.advanceTimersToNextFrame();
  expect(drawn).toEqual(['a3']);
});

test('replies beside each other are drawn in one frame, and the more they are the later in the next', () => {
  arrive('a1', 'b1', 'c1', 'd1');
  vi.advanceTimersToNextFrame();
  expect(drawn.splice(0)).toEqual(['a1', 'b1', 'c1', 'd1']);
  arrive('a2', 'b2');
  vi.advanceTimersByTime(70);
  expect(drawn).toEqual([]);
  arrive('c2');
  vi.advanceTimersByTime(25);
  expect(drawn.splice(0)).toEqual(['a2', 'b2', 'c2']);
  vi.advanceTimersByTime(500);
  arrive('b3');
  vi.advanceTimersToNextFrame();
  expect(drawn).toEqual(['b3']);
});

test('a reply that has ended is not drawn, and holds up no other', () => {
  arrive('a1', 'b1');
  frames.cancel('a');
  vi.advanceTimersToNextFrame();
  expect(drawn.splice(0)).toEqual(['b1']);
  arrive('b2');
  vi.advanceTimersToNextFrame();
  expect(drawn).toEqual(['b2']);
});
