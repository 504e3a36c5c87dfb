import { IconFileImport } from '@tabler/icons-react';
import { useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FileButton } from '../ui/file-button.tsx';
import classes from './file-chooser.module.css';

/** Chooses one file, by dialog or by drag and drop. */
export function FileChooser({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);

  function onDrop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  }

  function onDragOver(event: DragEvent): void {
    event.preventDefault();
    setOver(true);
  }

  return (
    <div
      className={classes.dropZone}
      data-over={isOver || undefined}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <IconFileImport className={classes.icon} aria-hidden />
      <FileButton
        variant="filled"
        size="lg"
        icon={null}
        label={t('com_import_choose')}
        accept=".json,.jsonl,.ndjson,.zip,application/json,application/zip"
        data-autofocus
        onFile={onFile}
      />
      <span className="hint">{t('com_import_drop')}</span>
      <p className={classes.hint}>{t('com_import_hint')}</p>
    </div>
  );
}
