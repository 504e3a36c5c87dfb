/** Whether a key press means "send". Enter does, except while an input method is composing and where keys are on glass. */
export function sendsMessage(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return false;
  return event.ctrlKey || event.metaKey || !isTouchDevice();
}

/** A phone or tablet without a keyboard: there Enter is the only way to break a line. */
export function isTouchDevice(): boolean {
  return window.matchMedia('(hover: none) and (pointer: coarse)').matches;
}

/** Safari ends the composition before it tells of the Enter that ended it; 229 is what the key code is then. */
function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
