// Tests of this room: tests/e2e/files.
import { Checkbox } from '@mantine/core';
import { IconDownload, IconLink } from '@tabler/icons-react';
import type { StoredFile } from '@parley/schema/files/stored-file';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatDate } from '../lib/format-date.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { describeDocument } from '../files/document-status.ts';
import { storedAttachment } from '../files/stored-attachment.ts';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { useShowFile } from '../files/open-file.ts';
import { downloadFile } from '../files/download-file.ts';
import { FileThumbnail } from '../files/file-thumbnail.tsx';
import { formatMegabytes } from '../files/format-bytes.ts';
import { ReadAgainButton } from '../files/read-again-button.tsx';
import { describeError } from '../errors/describe-error.ts';
import { useFileUses } from '../files/files-api.ts';
import classes from './files-table.module.css';

interface FileTableRowProps {
  file: StoredFile;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onLeave: () => void;
}

/** Services have names, which nobody translates. */
const SERVICES = { s3: 'S3', firebase: 'Firebase', openai: 'OpenAI' } as const;

/** One file; its second line shows where it is used. */
export function FileTableRow({ file, isSelected, onSelect, onLeave }: FileTableRowProps) {
  const { t } = useTranslation();
  const usesId = useId();
  const show = useShow(file);
  const { date, size, storage, purpose } = useFacts(file);
  const [isUnfolded, setUnfolded] = useState(false);
  const { name, document } = file;
  const description = document && describeDocument(name, document, t);
  return (
    <>
      <tr data-selected={isSelected || undefined}>
        <td className={classes.check}>
          <Checkbox
            size="xs"
            radius={4}
            classNames={{ input: classes.checkbox }}
            aria-label={t('com_files_select', { 0: name })}
            checked={isSelected}
            onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
          />
        </td>
        <th scope="row">
          <span className={classes.file}>
            <FileThumbnail file={file} />
            <span className={classes.details}>
              <button type="button" className={classes.fileName} dir="auto" data-tooltip={name} data-cut onClick={show}>
                {name}
              </button>
              {/* In narrow windows instead of the columns. */}
              <span className={classes.facts}>
                {date} · {storage} · {purpose} · {size}
              </span>
              {document && description !== null && (
                <span className={classes.document} data-state={document.state}>
                  {description}
                </span>
              )}
            </span>
          </span>
        </th>
        <td className={classes.date}>{date}</td>
        <td className={classes.storage}>{storage}</td>
        <td className={classes.context}>{purpose}</td>
        <td className={classes.size}>{size}</td>
        <td className={classes.actions}>
          <ReadAgainButton fileId={file.fileId} name={name} document={document} />
          <IconButton
            label={t('com_files_where', { 0: name })}
            aria-expanded={isUnfolded}
            aria-controls={isUnfolded ? usesId : undefined}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            <IconLink aria-hidden />
          </IconButton>
          <IconButton
            label={t('com_files_download_named', { 0: name, 1: size })}
            onClick={() => void downloadFile(file, name)}
          >
            <IconDownload aria-hidden />
          </IconButton>
        </td>
      </tr>
      {isUnfolded && (
        <tr className={classes.usesRow}>
          <td id={usesId} colSpan={7}>
            <FileUses fileId={file.fileId} onLeave={onLeave} />
          </td>
        </tr>
      )}
    </>
  );
}

/** What the columns say. */
function useFacts({ context, source, bytes, updatedAt }: StoredFile) {
  const { t, i18n } = useTranslation();
  return {
    date: formatDate(updatedAt, i18n.language),
    storage: source === 'local' || source === 'vectordb' ? t(`com_files_storage_${source}`) : SERVICES[source],
    purpose: t(`com_files_context_${context}`),
    size: formatMegabytes(bytes, i18n.language) ?? t('com_files_tiny'),
  };
}

/** An image has a large view of its own. The table comes back when it is closed. */
function useShow(file: StoredFile): () => void {
  const showFile = useShowFile();
  const showDialog = useShowDialog();
  const attachment = storedAttachment(file);
  return () => {
    if (attachment.type === 'image')
      showDialog({ name: 'picture', images: [attachment], index: 0, back: { name: 'files' } });
    else showFile(file);
  };
}

/** What uses a file, with links to the conversations. */
function FileUses({ fileId, onLeave }: { fileId: string; onLeave: () => void }) {
  const { t } = useTranslation();
  const { data: uses, error } = useFileUses(fileId);
  if (error) return <p className={classes.uses}>{describeError(error, t)}</p>;
  if (!uses) return <p className={classes.uses}>…</p>;
  const { messages, others } = uses;
  if (messages.length + others.length === 0) return <p className={classes.uses}>{t('com_files_unused')}</p>;
  return (
    <ul className={classes.uses}>
      {others.map(({ kind, id, name }) => (
        <li key={id} dir="auto">
          {t(`com_files_in_${kind}`, { 0: name })}
        </li>
      ))}
      {messages.map(({ conversationId, messageId, title }) => (
        <li key={messageId}>
          <Link href={`/c/${conversationId}?message=${messageId}`} onClick={onLeave} dir="auto">
            {title ?? t('com_ui_new_chat')}
          </Link>
        </li>
      ))}
    </ul>
  );
}
