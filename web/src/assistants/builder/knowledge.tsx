import { IconFile, IconPaperclip, IconX } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredFile } from '@parley/schema/files/stored-file';
import { useAtom } from 'jotai';
import { FileThumbnail } from '../../files/file-thumbnail.tsx';
import { formatBytes } from '../../files/format-bytes.ts';
import { FilesButton } from '../../ui/file-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Builder } from './use-builder.ts';
import { putAssistant } from '../../endpoints/assistants/use-assistants.ts';
import { describeError } from '../../errors/describe-error.ts';
import { refreshFiles, useFiles } from '../../files/files-api.ts';
import type { TypedFile } from '../../files/upload/check-files.ts';
import { api } from '../../trpc.ts';
import { KnowledgeSources } from './knowledge-sources.tsx';
import { pendingFilesAtom } from './builder-state.ts';
import { useKnowledgeUploads } from './use-knowledge-uploads.ts';
import classes from './builder.module.css';

/** The files that an assistant searches, or works with in Python. */
export function Knowledge({ builder }: { builder: Builder }) {
  const { t } = useTranslation();
  const { failure, add, ...files } = useKnowledge(builder);
  const { form, canSearch } = builder;
  const isOfUse = canSearch || form.switches.code_interpreter;
  return (
    <section className={classes.group} aria-label={t('com_assistants_knowledge')}>
      <h2 className={classes.label}>{t('com_assistants_knowledge')}</h2>
      <p className={classes.help}>
        {isOfUse ? t('com_assistants_knowledge_hint') : t('com_assistants_retrieval_off', { 0: form.model })}
      </p>
      <Rows {...files} />
      {failure && (
        <p className={classes.error} role="status">
          {failure}
        </p>
      )}
      <FilesButton
        size="sm"
        type="button"
        multiple
        disabled={!isOfUse}
        icon={<IconPaperclip aria-hidden />}
        label={t('com_assistants_add_files')}
        onFiles={(files) => void add(files)}
      />
      {isOfUse && <KnowledgeSources builder={builder} />}
    </section>
  );
}

type RowsProps = Pick<ReturnType<typeof useKnowledge>, 'stored' | 'pending' | 'uploads' | 'remove' | 'removePending'>;

function Rows({ stored, pending, uploads, remove, removePending }: RowsProps) {
  if (stored.length + pending.length + uploads.length === 0) return null;
  return (
    <ul className={classes.rows}>
      {stored.map((file) => (
        <FileRow
          key={file.fileId}
          icon={<FileThumbnail file={file} />}
          {...file}
          onRemove={() => void remove(file.fileId)}
        />
      ))}
      {pending.map((one) => (
        <FileRow
          key={`${one.file.name} ${one.file.lastModified} ${one.file.size}`}
          icon={<IconFile aria-hidden />}
          name={one.file.name}
          bytes={one.file.size}
          onRemove={() => removePending(one)}
        />
      ))}
      {uploads.map(({ id, name, progress }) => (
        <li key={id} className={classes.row}>
          <span className={classes.itemName} dir="auto">
            {name}
          </span>
          <progress value={progress} max={1} aria-label={name} />
        </li>
      ))}
    </ul>
  );
}

interface FileRowProps {
  icon: ReactNode;
  name: string;
  bytes: number;
  onRemove: () => void;
}

function FileRow({ icon, name, bytes, onRemove }: FileRowProps) {
  const { t, i18n } = useTranslation();
  return (
    <li className={classes.row}>
      {icon}
      <span className={classes.itemName} dir="auto" data-tooltip={name} data-cut>
        {name}
      </span>
      <span className={classes.count}>{formatBytes(bytes, i18n.language)}</span>
      <IconButton label={t('com_assistants_remove', { 0: name })} onClick={onRemove}>
        <IconX aria-hidden />
      </IconButton>
    </li>
  );
}

/**
 * The files of an assistant. They join and leave a saved one at once, without its form being saved; those of a new one
 * wait until it is created.
 */
function useKnowledge({ saved, canSearch }: Pick<Builder, 'saved' | 'canSearch'>) {
  const { t } = useTranslation();
  const [pending, setPending] = useAtom(pendingFilesAtom);
  const { data = [] } = useFiles({ enabled: saved !== null && saved.fileIds.length > 0 });
  const { uploads, check, join } = useKnowledgeUploads();
  const [failure, setFailure] = useState<string | null>(null);
  const stored: readonly StoredFile[] = data.filter(({ fileId }) => saved?.fileIds.includes(fileId));

  async function add(files: readonly File[]): Promise<void> {
    setFailure(null);
    const accepted = await check(files);
    if (accepted.length === 0) return;
    if (saved) await join(saved, accepted, canSearch);
    else setPending([...pending, ...accepted]);
  }

  async function remove(fileId: string): Promise<void> {
    if (!saved) return;
    setFailure(null);
    try {
      const fileIds = saved.fileIds.filter((one) => one !== fileId);
      putAssistant(await api.assistants.update.mutate({ assistantId: saved.assistantId, fileIds }));
      await refreshFiles();
    } catch (error) {
      setFailure(t('com_assistants_save_error', { 0: describeError(error, t) }));
    }
  }

  return {
    stored,
    uploads,
    pending: saved ? [] : pending,
    failure,
    add,
    remove,
    removePending: (wanted: TypedFile<File>) => setPending(pending.filter((one) => one !== wanted)),
  };
}
