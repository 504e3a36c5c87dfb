// The files of an unsent question, above its text.
import { isImageType } from '@parley/schema/files/file-types';
import type { Attachment } from '@parley/schema/messages/messages';
import { IconRefresh, IconX } from '@tabler/icons-react';
import { useAtomValue, useStore } from 'jotai';
import type { DocumentStatus } from '@parley/schema/files/documents';
import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { describeFile, isUnfinished } from '../../files/document-status.ts';
import { FilePreview } from '../../files/file-preview.tsx';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { useShowFile } from '../../files/open-file.ts';
import { isMedia } from '../../files/viewer/file-kind.ts';
import { useExisting, useFiles } from '../../files/files-api.ts';
import { ReadAgainButton } from '../../files/read-again-button.tsx';
import { formatBytes } from '../../files/format-bytes.ts';
import { reportUploadError } from '../../files/upload/report-upload-errors.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { draftKeyOf } from '../../slots/slot.ts';
import { useChatSession } from '../chat-session-context.tsx';
import { areUploaded, uploadedOf, type AttachmentsAtom, type DraftAttachment } from '../drafts/draft-attachments.ts';
import type { Chat } from '../use-chat.ts';
import classes from './attachment-chips.module.css';
import { detach, retryUpload } from './attach-files.ts';
import { BlindNote } from './blind-note.tsx';
import { changeAttachment } from './change-attachment.ts';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';

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
          <Chip
            key={attachment.id}
            attachment={attachment}
            document={documents.get(attachment.attachment?.fileId ?? '') ?? null}
            onMove={(step) => focusChip(index + step)}
            onRemove={() => remove(attachment, index)}
          />
        ))}
      </ul>
      {attachments.some(({ mime }) => isImageType(mime)) && <BlindNote modelTarget={chat.modelTarget} />}
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

interface ChipProps {
  attachment: DraftAttachment;
  /** Null while it is unknown, and for files without text. */
  document: DocumentStatus | null;
  onMove: (step: number) => void;
  onRemove: () => void;
}

function Chip({ attachment, document: text, onMove, onRemove }: ChipProps) {
  const { t, i18n } = useTranslation();
  const { id, name, mime, bytes, progress, isGone } = attachment;
  const isUnread = isMedia(mime) || text?.state === 'failed';
  const failure = isGone ? t('com_files_picture_missing', { 0: name }) : attachment.failure;
  const isUploading = failure === undefined && progress < 1;
  const size = formatBytes(bytes, i18n.language);
  const told = describeFile(attachment, text, t);
  const stored = told === null ? size : `${size} · ${told}`;
  // Such words may be cut.
  const isNotable = isUnread || text?.encoding !== undefined;
  const state = failure ?? (isUploading ? t('com_files_uploading') : stored);
  const open = useOpenAttachment(attachment);

  return (
    <li className={classes.item}>
      {/* It takes the focus so that Delete can take it out; its buttons do the same for the pointer. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className={classes.chip}
        role="group"
        tabIndex={0}
        data-chip
        data-failed={failure !== undefined || undefined}
        data-unreadable={isUnread || undefined}
        data-working={(!isUnread && isUnfinished(text)) || undefined}
        aria-label={`${name}, ${state}`}
        aria-keyshortcuts={open ? 'Enter Delete' : 'Delete'}
        data-tooltip={failure ?? (isNotable ? `${name}: ${told}` : name)}
        onKeyDown={(event) => onChipKey(event, { onMove, onRemove }, open)}
      >
        <Opener onOpen={open}>
          <Thumbnail attachment={attachment} />
          <span className={classes.details}>
            <span className={classes.name} dir="auto">
              {name}
            </span>
            <span className={classes.state}>{state}</span>
          </span>
        </Opener>
        {failure !== undefined && !isGone && (
          <IconButton type="button" label={t('com_files_retry', { 0: name })} onClick={() => retryUpload(id)}>
            <IconRefresh aria-hidden />
          </IconButton>
        )}
        {attachment.attachment && !isMedia(mime) && (
          <ReadAgainButton fileId={attachment.attachment.fileId} name={name} document={text} />
        )}
        <IconButton
          type="button"
          label={isUploading ? t('com_files_cancel', { 0: name }) : t('com_files_take_out', { 0: name })}
          onClick={onRemove}
        >
          <IconX aria-hidden />
        </IconButton>
        {isUploading && <UploadBar progress={progress} />}
      </div>
      {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
    </li>
  );
}

function UploadBar({ progress }: Pick<DraftAttachment, 'progress'>) {
  const { t } = useTranslation();
  return (
    <span
      className={classes.bar}
      role="progressbar"
      aria-label={t('com_files_uploading')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(progress * 100)}
    >
      <span style={{ inlineSize: `${progress * 100}%` }} />
    </span>
  );
}

/** Shows an attached file or picture; null while it is not uploaded, and once it is gone. */
function useOpenAttachment({ attachment, isGone }: DraftAttachment): (() => void) | null {
  const showFile = useShowFile();
  const showDialog = useShowDialog();
  if (!attachment || isGone) return null;
  if (attachment.type === 'image') return () => showDialog({ name: 'picture', pictures: [attachment], index: 0 });
  return () => showFile(attachment);
}

/** The chip has the keys; this is for the pointer, and for screen readers. */
function Opener({ onOpen, children }: { onOpen: (() => void) | null; children: ReactNode }) {
  if (!onOpen) return <span className={classes.opener}>{children}</span>;
  return (
    <button type="button" className={classes.opener} tabIndex={-1} onClick={onOpen}>
      {children}
    </button>
  );
}

/** Of a chip itself, not of its buttons. */
function onChipKey(
  event: KeyboardEvent,
  { onMove, onRemove }: Pick<ChipProps, 'onMove' | 'onRemove'>,
  onOpen: (() => void) | null,
): void {
  if (event.target !== event.currentTarget) return;
  const isRtl = document.documentElement.dir === 'rtl';
  const moves: Record<string, () => void> = {
    Delete: onRemove,
    Backspace: onRemove,
    ...(onOpen && { Enter: onOpen }),
    ArrowRight: () => onMove(isRtl ? -1 : 1),
    ArrowLeft: () => onMove(isRtl ? 1 : -1),
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  move();
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
  const before = useRef({ failed, count: uploadedOf(attachments).length });
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
  const existing = useExisting(uploadedOf(attachments).map(({ fileId }) => fileId));
  const gone = existing && attachments.filter((one) => isUnmarked(one) && !existing.includes(one.attachment.fileId));
  useEffect(() => {
    for (const { id } of gone ?? []) changeAttachment(store, list, id, { isGone: true });
  });
}

function isUnmarked(one: DraftAttachment): one is DraftAttachment & { attachment: Attachment } {
  return one.attachment !== null && !one.isGone;
}

function Thumbnail({ attachment: { preview, attachment, mime, isGone } }: Pick<ChipProps, 'attachment'>) {
  const picture = isGone ? null : (preview ?? (attachment?.type === 'image' ? attachment.path : null));
  const path = isGone ? null : (attachment?.path ?? null);
  if (picture === null) return <FilePreview className={classes.thumbnail} path={path} mime={mime} />;
  return (
    <span className={classes.thumbnail}>
      <img src={picture} alt="" width={36} height={36} />
    </span>
  );
}
