import { describe, expect, it } from 'vitest';
import { placeToasts, type Box } from '../../../../web/src/ui/toast/place-toasts.ts';

const wide: Box = { top: 0, bottom: 900, left: 0, right: 1440 };
const phone: Box = { top: 0, bottom: 844, left: 0, right: 390 };
const size = { width: 300, height: 48 };
const HEADER = 52;

function boxOf(left: number, top: number, width: number, height: number): Box {
  return { left, top, right: left + width, bottom: top + height };
}

describe('a notice stands', () => {
  it('below the header, if nothing is in its way', () => {
    const composer = boxOf(466, 780, 768, 90);
    expect(placeToasts(size, wide, HEADER, [composer], [composer])).toBe(60);
  });

  it('above a field being written in below the header, or below the composer of an empty chat', () => {
    const field = boxOf(466, 60, 768, 120);
    expect(placeToasts(size, wide, HEADER, [field], [])).toBe(8);
    const buttons = [boxOf(600, 8, 300, 36), field];
    const composer = boxOf(466, 400, 768, 100);
    expect(placeToasts(size, wide, HEADER, [...buttons, composer], [composer])).toBe(400 - 8 - 48);
  });

  it("clear of a dialog's buttons: above it, below it, or at the edge of the screen", () => {
    const dialog = boxOf(20, 20, 350, 804);
    const close = boxOf(330, 28, 32, 32);
    const rows = [boxOf(36, 70, 320, 400), boxOf(36, 760, 320, 44)];
    const top = placeToasts(size, phone, HEADER, [close, ...rows], [dialog]);
    expect([...rows, close].every((box) => top + size.height <= box.top || top >= box.bottom)).toBe(false);
    expect(top).toBe(8);
    const short = boxOf(20, 300, 350, 200);
    expect(placeToasts(size, phone, HEADER, [boxOf(36, 440, 320, 44)], [short])).toBe(60);
  });

  it('above the keyboard of a phone', () => {
    const left = { ...phone, bottom: 420 };
    const composer = boxOf(12, 320, 366, 100);
    const header = boxOf(0, 4, 390, 44);
    const thread = boxOf(0, 52, 390, 200);
    const top = placeToasts(size, left, HEADER, [header, thread, composer], [composer]);
    expect(top + size.height).toBeLessThanOrEqual(composer.top);
    expect(top).toBeGreaterThanOrEqual(thread.bottom);
  });
});
