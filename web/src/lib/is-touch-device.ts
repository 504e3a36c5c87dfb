/** A phone or tablet without a keyboard: Enter is the only way to insert a line break there. */
export function isTouchDevice(): boolean {
  return window.matchMedia('(hover: none) and (pointer: coarse)').matches;
}
