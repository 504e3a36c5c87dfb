// How a finger draws the sidebar of a small screen: as numbers, without the page.

/** CSS pixels from the edge of the screen where a finger may begin to draw it in. */
const EDGE_PX = 48;
/** CSS pixels before it is known where a finger goes. */
const SLACK_PX = 8;
/** CSS pixels in a millisecond: a flick, which decides however far it went. */
const FLICK_SPEED = 0.4;

export interface DrawerDrag {
  /** 1 where the drawer is at the left, -1 at the right. */
  side: 1 | -1;
  width: number;
  wasOpen: boolean;
  startX: number;
  startY: number;
}

/** Whether a finger that comes down here may draw it: at the edge while it is closed, anywhere while it is open. */
export function mayBegin({ side, wasOpen, startX }: DrawerDrag, screenWidth: number): boolean {
  return wasOpen || (side === 1 ? startX : screenWidth - startX) <= EDGE_PX;
}

/** Whether the finger draws; null while that is open. One that goes up or down, or the other way, never does. */
export function doesDraw({ side, wasOpen, startX, startY }: DrawerDrag, x: number, y: number): boolean | null {
  const along = (x - startX) * side * (wasOpen ? -1 : 1);
  const across = Math.abs(y - startY);
  if (Math.max(Math.abs(along), across) < SLACK_PX) return null;
  return along > across;
}

/** The part of the drawer that shows under the finger, 0 to 1. */
export function shownPart({ side, width, wasOpen, startX }: DrawerDrag, x: number): number {
  const part = (wasOpen ? 1 : 0) + ((x - startX) * side) / width;
  return Math.min(1, Math.max(0, part));
}

/** Whether it is open once the finger has left, which went at this speed: CSS pixels in a millisecond, to the right. */
export function endsOpen(drag: DrawerDrag, x: number, speed: number): boolean {
  const inward = speed * drag.side;
  return Math.abs(inward) > FLICK_SPEED ? inward > 0 : shownPart(drag, x) > 0.5;
}
