import { useStore } from 'jotai';
import { requestFile } from '../../files/download-file.ts';
import { reportUploadError } from '../../files/upload/report-upload-errors.tsx';
import { i18n } from '../../i18n.ts';
import { focusComposer } from '../../slots/focus-composer.ts';
import { draftKeyOf, useSlot, useSlotIndex } from '../../slots/slot.ts';
import { useChatSession } from '../chat-session-context.tsx';
import type { DraftAttachment } from '../drafts/draft-attachments.ts';
import { detach } from './attach-files.ts';

/** The longest text that is put back into the message box, in bytes. */
const TEXT_MAX_BYTES = 500_000;

/** Puts the text of an attached file into the message and takes the file out; null where that is not offered. */
export function useTurnIntoText(): (chip: DraftAttachment) => (() => void) | null {
  const store = useStore();
  const index = useSlotIndex();
  const { drafts } = useChatSession();
  const draft = draftKeyOf(useSlot());

  return (chip) => {
    const { attachment, mime, bytes, isGone } = chip;
    if (!attachment || isGone || mime !== 'text/plain' || bytes > TEXT_MAX_BYTES) return null;
    return () => void turn(chip, attachment);
  };

  async function turn(chip: DraftAttachment, file: NonNullable<DraftAttachment['attachment']>): Promise<void> {
    try {
      const text = await (await requestFile(file, 'GET')).text();
      const before = store.get(drafts.draftAtom(draft));
      store.set(drafts.draftAtom(draft), before === '' ? text : `${before}\n\n${text}`);
      detach({ store, list: drafts.attachmentsAtom(draft), draft }, chip);
      focusComposer(index);
    } catch {
      reportUploadError(i18n.t('com_files_as_text_failed', { 0: chip.name }));
    }
  }
}
