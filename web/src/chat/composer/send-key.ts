import { isTouchDevice } from '../../lib/is-touch-device.ts';
import { readSetting } from '../../stored-settings.ts';

/**
 * Whether a key press means "send": Enter, except during an IME composition, on touch keyboards, and where its person
 * wants a new line. With Ctrl or Cmd always.
 */
export function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return false;
  return event.ctrlKey || event.metaKey || (readSetting('enterToSend') && !isTouchDevice());
}

/** Safari fires compositionend before the keydown of the Enter that ends it, with key code 229. */
function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
