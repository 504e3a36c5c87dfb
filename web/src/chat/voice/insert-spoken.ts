import { composerId } from '../../slots/focus-composer.ts';

/**
 * Puts what was said into the message box at the caret, in place of what is selected. It can be undone as what is typed:
 * the browser puts it in.
 */
export function insertSpoken(index: number, spoken: string): void {
  const box = document.getElementById(composerId(index));
  if (!(box instanceof HTMLTextAreaElement)) return;
  box.focus();
  const { selectionStart, selectionEnd, value } = box;
  const text = spaced(value.slice(0, selectionStart), spoken, value.slice(selectionEnd));
  // No other way of the platform keeps the history of the field.
  if (document.execCommand('insertText', false, text)) return;
  box.setRangeText(text, selectionStart, selectionEnd, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** With a space on each side that has a word. */
export function spaced(before: string, spoken: string, after: string): string {
  const isWord = (letter: string | undefined) => letter !== undefined && /\S/.test(letter);
  const opening = isWord(before.at(-1)) && !/[("'«„“‘[]$/.test(before) ? ' ' : '';
  const closing = isWord(after[0]) && !/^[.,;:!?)\]"'”’»]/.test(after) ? ' ' : '';
  return `${opening}${spoken}${closing}`;
}
