// A long text that is pasted becomes a file, which leaves the message box readable.
import { i18n } from '../../i18n.ts';
import { readSetting } from '../../stored-settings.ts';

/** Characters: about three pages, more than anybody edits in the message box. */
const LONG_CHARS = 8_000;

/** The pasted text as a file where it is long, and its person has not switched that off; else null. */
export function pastedTextFile(data: DataTransfer | null): File | null {
  const text = data?.getData('text/plain') ?? '';
  if (text.length < LONG_CHARS || !readSetting('pasteAsFile')) return null;
  return new File([text], `${i18n.t('com_files_pasted')}.txt`, { type: 'text/plain' });
}
