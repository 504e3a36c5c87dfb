import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { showUndo } from '../ui/toast/undo.ts';
import classes from './artifact-view.module.css';
import bar from './run/run-bar.module.css';

interface ArtifactEditorProps {
  source: string;
  draft: string;
  /** `undefined` ends the edit. */
  onDraft: (draft: string | undefined) => void;
  /** Resolves to a sentence where it is not saved. */
  onSave: (source: string) => Promise<string | null>;
}

/** Edits a source by hand. What is typed is kept until it is saved or discarded. */
export function ArtifactEditor({ source, draft, onDraft, onSave }: ArtifactEditorProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);

  function cancel(): void {
    onDraft(undefined);
    if (draft !== source) showUndo(t('com_artifact_edit_discarded'), () => onDraft(draft));
  }

  async function save(): Promise<void> {
    if (isBusy) return;
    if (draft === source) return onDraft(undefined);
    setBusy(true);
    setProblem(await onSave(draft));
    setBusy(false);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const isSave = (event.ctrlKey || event.metaKey) && ['s', 'Enter'].includes(event.key);
    if (!isSave && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (isSave) void save();
    else cancel();
  }

  return (
    <div className={classes.source}>
      <textarea
        ref={box}
        className={classes.editor}
        dir="ltr"
        spellCheck={false}
        aria-label={t('com_content_source')}
        value={draft}
        onChange={(event) => onDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={bar.bar}>
        {problem !== null && (
          <p className={bar.note} data-bad role="alert">
            <span>{problem}</span>
          </p>
        )}
        <div className={bar.state}>
          <span>{t('com_artifact_edit_hint')}</span>
          <Button size="sm" onClick={cancel}>
            {t('com_ui_cancel')}
          </Button>
          <BusyButton size="sm" variant="filled" isBusy={isBusy} onClick={() => void save()}>
            {t('com_ui_save')}
          </BusyButton>
        </div>
      </div>
    </div>
  );
}
