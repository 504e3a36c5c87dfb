import { isTouchDevice } from '../../lib/is-touch-device.ts';

/** Whether a key press means "send": Enter, except during an IME composition and on touch keyboards. */
export function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return false;
  return event.ctrlKey || event.metaKey || !isTouchDevice();
}

/** Safari fires compositionend before the keydown of the Enter that ends it, with key code 229. */
function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
