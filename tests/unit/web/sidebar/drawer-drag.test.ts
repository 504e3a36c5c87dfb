import { describe, expect, it } from 'vitest';
import { doesDraw, endsOpen, mayBegin, shownPart, type DrawerDrag } from '../../../../web/src/layout/drawer-drag.ts';

const closed: DrawerDrag = { side: 1, width: 320, wasOpen: false, startX: 20, startY: 400 };
const opened: DrawerDrag = { ...closed, wasOpen: true, startX: 300 };
/** The same in a layout from right to left, on a screen of 390 pixels. */
const closedRtl: DrawerDrag = { ...closed, side: -1, startX: 370 };
const openedRtl: DrawerDrag = { ...closedRtl, wasOpen: true, startX: 90 };

describe('a finger draws the sidebar', () => {
  it('from the edge where it is, or from anywhere while it is open', () => {
    expect(mayBegin(closed, 390)).toBe(true);
    expect(mayBegin({ ...closed, startX: 49 }, 390)).toBe(false);
    expect(mayBegin(closedRtl, 390)).toBe(true);
    expect(mayBegin({ ...closedRtl, startX: 340 }, 390)).toBe(false);
    expect(mayBegin({ ...opened, startX: 380 }, 390)).toBe(true);
  });

  it('once it has gone sideways, the right way', () => {
    expect(doesDraw(closed, 26, 402)).toBeNull();
    expect(doesDraw(closed, 40, 404)).toBe(true);
    expect(doesDraw(closed, 40, 430)).toBe(false);
    expect(doesDraw(closed, 4, 400)).toBe(false);
    expect(doesDraw(opened, 280, 404)).toBe(true);
    expect(doesDraw(opened, 320, 404)).toBe(false);
    expect(doesDraw(closedRtl, 350, 404)).toBe(true);
    expect(doesDraw(openedRtl, 110, 404)).toBe(true);
  });

  it('with the finger, and no further than its width', () => {
    expect(shownPart(closed, 180)).toBe(0.5);
    expect(shownPart(closed, 900)).toBe(1);
    expect(shownPart(opened, 140)).toBe(0.5);
    expect(shownPart(closedRtl, 210)).toBe(0.5);
    expect(shownPart(openedRtl, 250)).toBe(0.5);
  });

  it('and leaves it open by where it is, or by a flick', () => {
    expect(endsOpen(closed, 190, 0)).toBe(true);
    expect(endsOpen(closed, 170, 0)).toBe(false);
    expect(endsOpen(closed, 60, 0.9)).toBe(true);
    expect(endsOpen(closed, 300, -0.9)).toBe(false);
    expect(endsOpen(opened, 250, -0.9)).toBe(false);
    expect(endsOpen(closedRtl, 340, -0.9)).toBe(true);
    expect(endsOpen(openedRtl, 120, 0.9)).toBe(false);
  });
});
