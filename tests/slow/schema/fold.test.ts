import { fold } from '@parley/schema/generation/fold';
import { messageText } from '@parley/schema/messages/messages';
import { describe, expect, it } from 'vitest';
import { emptyReply, text } from '../../contracts/generation-events.ts';

const reply = emptyReply();

describe('folding a long answer', () => {
  it('costs the same for each event, however long it is', () => {
    const events = Array.from({ length: 200_000 }, (_, n) => text(n * 5, 'word '));
    const [first = [], second = []] = [events.slice(0, 100_000), events.slice(100_000)];
    // Of each the best: a crowded machine is in the way of some rounds.
    let early = Infinity;
    let late = Infinity;
    for (let round = 0; round < 5 || (round < 30 && late / early >= 2); round++) {
      const began = performance.now();
      const half = first.reduce(fold, reply);
      const between = performance.now();
      const whole = second.reduce(fold, half);
      expect(messageText(whole)).toHaveLength(1_000_000);
      early = Math.min(early, between - began);
      late = Math.min(late, performance.now() - between);
    }
    // Three times as much if each event cost as much as what stands before it.
    expect(late / early).toBeLessThan(2);
  });
});
