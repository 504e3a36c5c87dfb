import { useState, type KeyboardEvent } from 'react';
import type { Box } from './use-drawing.ts';

const STEP = 0.04;
const FIRST: Box = { x: 0.35, y: 0.35, width: 0.3, height: 0.3 };
const MOVES: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** A frame that arrows move, with Shift resize, and Enter fills. */
export function useFrame(fill: (frame: Box) => void) {
  const [frame, setFrame] = useState<Box | null>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const move = MOVES[event.key];
    if (move) setFrame(event.shiftKey ? resized(frame ?? FIRST, move) : moved(frame ?? FIRST, move));
    else if (event.key === 'Enter' && frame) fill(frame);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return { frame, onKeyDown, hide: () => setFrame(null) };
}

function moved(frame: Box, [x, y]: readonly [x: number, y: number]): Box {
  return { ...frame, x: within(frame.x + x, 0, 1 - frame.width), y: within(frame.y + y, 0, 1 - frame.height) };
}

function resized(frame: Box, [x, y]: readonly [x: number, y: number]): Box {
  const width = within(frame.width + x, STEP, 1 - frame.x);
  return { ...frame, width, height: within(frame.height + y, STEP, 1 - frame.y) };
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
