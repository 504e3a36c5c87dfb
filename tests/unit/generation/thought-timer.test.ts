import type { GenerationEvent } from '@parley/schema/generation/events';
import { fold, merge } from '@parley/schema/generation/fold';
import { createThoughtTimer } from '@parley/server/generation/event-builder';
import { expect, it } from 'vitest';
import { emptyReply, text } from '../../contracts/generation-events.ts';

const think = (part: number, offset: number, said: string): GenerationEvent => ({
  type: 'reasoning',
  part,
  offset,
  text: said,
});

it('the time of a piece of reasoning goes from its first words to what follows it', () => {
  let now = 1000;
  const timer = createThoughtTimer(() => now);
  expect(timer.endedBy(think(0, 0, 'Hm'))).toBeNull();
  now = 2500.4;
  expect(timer.endedBy(think(0, 2, 'mm'))).toBeNull();
  expect(timer.endedBy({ type: 'usage', input: 1, output: 1 })).toBeNull();
  now = 4000;
  expect(timer.endedBy(text(0, 'Yes', 1))).toEqual({ ...think(0, 4, ''), tookMs: 3000 });
  expect(timer.endedBy(text(3, ' and', 1))).toBeNull();
  timer.endedBy(think(2, 0, 'Hm'));
  now = 4700;
  expect(timer.end()).toEqual({ ...think(2, 2, ''), tookMs: 700 });
  expect(timer.end()).toBeNull();
});

it('the time is folded into its part, also once events are merged', () => {
  const last: GenerationEvent = { type: 'reasoning', part: 0, offset: 2, text: '', tookMs: 12_000 };
  const part = { type: 'reasoning', text: 'Hm', tookMs: 12_000 };
  const thought = fold(fold(emptyReply(), think(0, 0, 'Hm')), last);
  expect(thought.parts).toEqual([part]);
  const both = merge(think(0, 0, 'Hm'), last);
  expect(both && fold(emptyReply(), both).parts).toEqual([part]);
});
