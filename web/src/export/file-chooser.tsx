import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './file-chooser.module.css';

/** A place to choose or to drop one file. */
export function FileChooser({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file) onFile(file);
  };

  function onDrop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  }

  function onDragOver(event: DragEvent): void {
    event.preventDefault();
    setOver(true);
  }

  return (
    <div
      className={classes.place}
      data-over={isOver || undefined}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <IconFileImport className={classes.icon} aria-hidden />
      <Button onClick={() => input.current?.click()} data-autofocus>
        {t('com_import_choose')}
      </Button>
      <span className={classes.drop}>{t('com_import_drop')}</span>
      <p className={classes.hint}>{t('com_import_hint')}</p>
      <input
        ref={input}
        type="file"
        accept=".json,.jsonl,.ndjson,application/json"
        aria-label={t('com_import_choose')}
        tabIndex={-1}
        hidden
        onChange={(event) => take(event.currentTarget.files)}
      />
    </div>
  );
}
