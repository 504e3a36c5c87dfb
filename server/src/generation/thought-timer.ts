import type { GenerationEvent, TextEvent } from '@parley/schema/generation/events';

/** Measures how long each piece of reasoning takes: from its first words to what follows it. */
export interface ThoughtTimer {
  /** The event that ends the reasoning before `event`, if that ends any. */
  endedBy(event: GenerationEvent): TextEvent | null;
  /** The same at the end of the reply. */
  end(): TextEvent | null;
}

interface Thought {
  part: number;
  from: number;
  /** The length of its text so far. */
  length: number;
}

export function createThoughtTimer(now: () => number = () => performance.now()): ThoughtTimer {
  let open: Thought | null = null;
  return {
    endedBy(event) {
      if (!('part' in event) || event.part === open?.part) {
        if (event.type === 'reasoning' && open) open.length = event.offset + event.text.length;
        return null;
      }
      const ended = end();
      if (event.type === 'reasoning')
        open = { part: event.part, from: now(), length: event.offset + event.text.length };
      return ended;
    },
    end,
  };

  function end(): TextEvent | null {
    if (!open) return null;
    const { part, from, length } = open;
    open = null;
    return { type: 'reasoning', part, offset: length, text: '', tookMs: Math.round(now() - from) };
  }
}
