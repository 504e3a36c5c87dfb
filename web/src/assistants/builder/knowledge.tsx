import type { StoredFile } from '@parley/schema/files/stored-file';
import { IconPaperclip, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { putAssistant } from '../../endpoints/use-assistants.ts';
import { refreshFiles, useFiles } from '../../files/files-api.ts';
import { FileThumbnail } from '../../files/file-thumbnail.tsx';
import { formatBytes } from '../../files/format-bytes.ts';
import { api } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import { switchesOf } from './builder-form.ts';
import classes from './builder.module.css';
import type { Builder } from './use-builder.ts';
import { useUploadKnowledge, type Sending } from './use-upload-knowledge.ts';

interface Problem {
  message: string;
  /** The assistant as it was: once it is saved, the problem may be gone. */
  of: Builder['saved'];
}

/** The files of an assistant. They join and leave at once, without its form being saved. */
export function Knowledge({ builder: { saved, chat } }: { builder: Builder }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { data = [] } = useFiles({ enabled: saved !== null && saved.fileIds.length > 0 });
  const { uploads, upload } = useUploadKnowledge(saved, chat.modelTarget?.endpoint ?? 'assistants');
  const [problem, setProblem] = useState<Problem | null>(null);
  const switches = switchesOf(saved?.tools ?? []);
  const canAdd = switches.code_interpreter || switches.retrieval;
  const files = data.filter(({ fileId }) => saved?.fileIds.includes(fileId));

  function add(): void {
    if (saved && canAdd) return input.current?.click();
    const message = saved ? t('com_assistants_knowledge_needs') : t('com_assistants_unsaved');
    setProblem({ message, of: saved });
    showToast({ message, severity: 'warning' });
  }

  async function remove(fileId: string): Promise<void> {
    if (!saved) return;
    setProblem(null);
    try {
      const fileIds = saved.fileIds.filter((one) => one !== fileId);
      putAssistant(await api.assistants.update.mutate({ assistantId: saved.assistantId, fileIds }));
      await refreshFiles();
    } catch (error) {
      setProblem({ message: t('com_assistants_save_error', { 0: describeError(error, t) }), of: saved });
    }
  }

  return (
    <section className={classes.group} aria-label={t('com_assistants_knowledge')}>
      <h2 className={classes.label}>{t('com_assistants_knowledge')}</h2>
      <Rows files={files} uploads={uploads} onRemove={(fileId) => void remove(fileId)} />
      {problem?.of === saved && (
        <p className={classes.error} role="status">
          {problem.message}
        </p>
      )}
      <Button size="sm" type="button" onClick={add}>
        <IconPaperclip aria-hidden />
        {t('com_assistants_add_files')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={t('com_assistants_add_files')}
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          setProblem(null);
          void upload(chosen);
        }}
      />
    </section>
  );
}

interface RowsProps {
  files: readonly StoredFile[];
  uploads: readonly Sending[];
  onRemove: (fileId: string) => void;
}

function Rows({ files, uploads, onRemove }: RowsProps) {
  const { t, i18n } = useTranslation();
  if (files.length + uploads.length === 0) return null;
  return (
    <ul className={classes.rows}>
      {files.map((file) => (
        <li key={file.fileId} className={classes.row}>
          <FileThumbnail file={file} />
          <span className={classes.itemName} dir="auto">
            {file.name}
          </span>
          <span className={classes.count}>{formatBytes(file.bytes, i18n.language)}</span>
          <IconButton
            type="button"
            label={t('com_assistants_remove', { 0: file.name })}
            onClick={() => onRemove(file.fileId)}
          >
            <IconX aria-hidden />
          </IconButton>
        </li>
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
