// The files of an unsent question, above its text.
import { isImageType } from '@parley/schema/files/file-types';
import type { Attachment } from '@parley/schema/messages/messages';
import { useAtomValue, useStore } from 'jotai';
import type { DocumentStatus } from '@parley/schema/files/documents';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useExisting, useFiles } from '../../files/files-api.ts';
import { reportUploadError } from '../../files/upload/report-upload-errors.tsx';
import { draftKeyOf, useSlot, useSlotIndex } from '../../slots/slot.ts';
import { useChatSession } from '../chat-session-context.tsx';
import {
  areUploaded,
  uploadedAttachments,
  type AttachmentsAtom,
  type DraftAttachment,
} from '../drafts/draft-attachments.ts';
import type { Chat } from '../use-chat.ts';
import classes from './attachment-chips.module.css';
import { detach } from './attach-files.ts';
import { AttachmentChip } from './attachment-chip.tsx';
import { NoVisionNotice } from './no-vision-notice.tsx';
import { changeAttachment } from './change-attachment.ts';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';
import { requestFile } from '../../files/download-file.ts';
import { i18n } from '../../i18n.ts';
import { focusComposer } from '../../slots/focus-composer.ts';

interface AttachmentChipsProps {
  chat: Chat;
  /** The question is sent once they are uploaded. */
  isWaiting: boolean;
  /** The last chip is gone: the focus goes to the message box. */
  onEmptied: () => void;
}

/** A chip for each file. The arrow keys move between them, Delete takes one out. */
export function AttachmentChips({ chat, isWaiting, onEmptied }: AttachmentChipsProps) {
  const { t } = useTranslation();
  const { drafts } = useChatSession();
  const draft = draftKeyOf(chat.slot);
  const list = drafts.attachmentsAtom(draft);
  const store = useStore();
  const attachments = useAtomValue(list);
  const row = useRef<HTMLUListElement>(null);
  useMarkGone(list, attachments);
  useAnnounceUnsent(list, isWaiting);
  useReveal(row, attachments);
  const documents = useDocuments(attachments);
  const turnIntoText = useTurnIntoText();

  function focusChip(index: number): void {
    const chips = row.current?.querySelectorAll<HTMLElement>('[data-chip]') ?? [];
    chips[Math.max(0, Math.min(index, chips.length - 1))]?.focus();
  }

  function remove(attachment: DraftAttachment, index: number): void {
    const hasFocus = row.current?.contains(document.activeElement);
    detach({ store, list, draft }, attachment);
    if (!hasFocus) return;
    if (attachments.length === 1) onEmptied();
    else requestAnimationFrame(() => focusChip(index));
  }

  return (
    <>
      <ul ref={row} className={classes.row} aria-label={t('com_files_attached')}>
        {attachments.map((attachment, index) => (
          <AttachmentChip
            key={attachment.id}
            attachment={attachment}
            document={documents.get(attachment.attachment?.fileId ?? '') ?? null}
            onMove={(step) => focusChip(index + step)}
            onRemove={() => remove(attachment, index)}
            onTurnIntoText={turnIntoText(attachment)}
          />
        ))}
      </ul>
      {attachments.some(({ mime }) => isImageType(mime)) && <NoVisionNotice modelTarget={chat.modelTarget} />}
      <VisuallyHidden role="status">
        {isWaiting ? t('com_files_waiting') : areUploaded(attachments) ? t('com_files_ready') : ''}
      </VisuallyHidden>
    </>
  );
}

/** What is known of the text of the attached files, by the file's id. */
function useDocuments(attachments: readonly DraftAttachment[]): ReadonlyMap<string, DocumentStatus | null> {
  const { data } = useFiles({ enabled: attachments.some(({ attachment }) => attachment?.type === 'file') });
  return new Map(data?.map(({ fileId, document }) => [fileId, document]));
}

/** Tells that a question that was to be sent is not, because one of its uploads failed. */
function useAnnounceUnsent(list: AttachmentsAtom, isWaiting: boolean): void {
  const { t } = useTranslation();
  const store = useStore();
  const tell = useEffectEvent(() => {
    if (store.get(list).some(({ failure, isGone }) => failure || isGone)) reportUploadError(t('com_files_unsent'));
  });
  useEffect(() => (isWaiting ? store.sub(list, () => tell()) : undefined), [isWaiting, store, list]);
}

/** Scrolls to a file that is added, and to one that cannot be sent: a narrow row shows one of them at a time. */
function useReveal(row: RefObject<HTMLElement | null>, attachments: readonly DraftAttachment[]): void {
  const failed = attachments.findLastIndex(({ failure, isGone }) => failure !== undefined || isGone);
  const count = attachments.length;
  // Those of a draft that is opened are not new.
  const before = useRef({ failed, count: uploadedAttachments(attachments).length });
  useEffect(() => {
    const { current } = before;
    before.current = { failed, count };
    const shown = failed > current.failed ? failed : count > current.count ? count - 1 : null;
    if (shown !== null) row.current?.children[shown]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [row, failed, count]);
}

/** Marks the files that were deleted meanwhile, here or elsewhere. */
function useMarkGone(list: AttachmentsAtom, attachments: readonly DraftAttachment[]): void {
  const store = useStore();
  const existing = useExisting(uploadedAttachments(attachments).map(({ fileId }) => fileId));
  const gone = existing && attachments.filter((one) => isUnmarked(one) && !existing.includes(one.attachment.fileId));
  useEffect(() => {
    for (const { id } of gone ?? []) changeAttachment(store, list, id, { isGone: true });
  });
}

function isUnmarked(one: DraftAttachment): one is DraftAttachment & { attachment: Attachment } {
  return one.attachment !== null && !one.isGone;
}

/** The longest text that is put back into the message box, in bytes. */
const TEXT_MAX_BYTES = 500_000;

/** Puts the text of an attached file into the message and takes the file out; null where that is not offered. */
function useTurnIntoText(): (chip: DraftAttachment) => (() => void) | null {
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
