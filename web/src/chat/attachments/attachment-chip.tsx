import type { DocumentStatus } from '@parley/schema/files/documents';
import { IconRefresh, IconTextPlus, IconX } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { describeFile, isUnfinished } from '../../files/document-status.ts';
import { FilePreview } from '../../files/file-preview.tsx';
import { formatBytes } from '../../files/format-bytes.ts';
import { useShowFile } from '../../files/open-file.ts';
import { ReadAgainButton } from '../../files/read-again-button.tsx';
import { isMedia } from '../../files/viewer/file-kind.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { DraftAttachment } from '../drafts/draft-attachments.ts';
import { retryUpload } from './attach-files.ts';
import classes from './attachment-chips.module.css';
import thumbnailClasses from '../../files/file-thumbnail.module.css';

interface ChipProps {
  attachment: DraftAttachment;
  /** Null while it is unknown, and for files without text. */
  document: DocumentStatus | null;
  onMove: (step: number) => void;
  onRemove: () => void;
  /** Of a text that fits into the message. */
  onTurnIntoText: (() => void) | null;
}

/** Enter shows its file, Delete takes it out. */
export function AttachmentChip({ attachment, document: text, onMove, onRemove, onTurnIntoText }: ChipProps) {
  const { t } = useTranslation();
  const { id, name, mime, progress, isGone } = attachment;
  const { failure, isUploading, isUnread, state, tooltip } = useDescription(attachment, text);
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
        data-tooltip={tooltip}
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
          <IconButton label={t('com_files_retry', { 0: name })} onClick={() => retryUpload(id)}>
            <IconRefresh aria-hidden />
          </IconButton>
        )}
        {attachment.attachment && !isMedia(mime) && (
          <ReadAgainButton fileId={attachment.attachment.fileId} name={name} document={text} />
        )}
        {onTurnIntoText && (
          <IconButton label={t('com_files_as_text', { 0: name })} onClick={onTurnIntoText}>
            <IconTextPlus aria-hidden />
          </IconButton>
        )}
        <IconButton
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

/** What the chip says of its file. */
function useDescription(attachment: DraftAttachment, document: DocumentStatus | null) {
  const { t, i18n } = useTranslation();
  const { name, mime, bytes, progress, isGone } = attachment;
  const failure = isGone ? t('com_files_picture_missing', { 0: name }) : attachment.failure;
  const isUploading = failure === undefined && progress < 1;
  const isUnread = isMedia(mime) || document?.state === 'failed';
  const told = describeFile(attachment, document, t);
  const size = formatBytes(bytes, i18n.language);
  const stored = told === null ? size : `${size} · ${told}`;
  // Such words may be cut.
  const isNotable = isUnread || document?.encoding !== undefined;
  return {
    failure,
    isUploading,
    isUnread,
    state: failure ?? (isUploading ? t('com_files_uploading') : stored),
    tooltip: failure ?? (isNotable ? `${name}: ${told}` : name),
  };
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

/** Shows an attached file or image; null while it is not uploaded, and once it is gone. */
function useOpenAttachment({ attachment, isGone }: DraftAttachment): (() => void) | null {
  const showFile = useShowFile();
  const showDialog = useShowDialog();
  if (!attachment || isGone) return null;
  if (attachment.type === 'image') return () => showDialog({ name: 'picture', images: [attachment], index: 0 });
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

function Thumbnail({ attachment: { preview, attachment, mime, isGone } }: Pick<ChipProps, 'attachment'>) {
  const picture = isGone ? null : (preview ?? (attachment?.type === 'image' ? attachment.path : null));
  const path = isGone ? null : (attachment?.path ?? null);
  if (picture === null) return <FilePreview className={thumbnailClasses.thumbnail} path={path} mime={mime} />;
  return (
    <span className={thumbnailClasses.thumbnail}>
      <img src={picture} alt="" width={36} height={36} />
    </span>
  );
}
