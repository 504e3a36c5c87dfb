import { SPEC_BYTES_MAX } from '@parley/schema/assistants/actions';
import { useId, useRef, useState, type ClipboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../files/format-bytes.ts';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import classes from '../builder/builder.module.css';
import { LONG_DOCUMENT } from './action-form.ts';

/** An OpenAPI document, typed, pasted or from a file. A long one is not shown: browsers stall on fields of megabytes. */
export function DocumentField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const [isTooLarge, setTooLarge] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);

  function change(text: string): void {
    setTooLarge(false);
    onChange(text);
  }

  async function readFile(file: File): Promise<void> {
    if (file.size > SPEC_BYTES_MAX) setTooLarge(true);
    else change(await file.text());
  }

  function paste(event: ClipboardEvent): void {
    const text = event.clipboardData.getData('text');
    if (text.length <= LONG_DOCUMENT) return;
    event.preventDefault();
    if (text.length > SPEC_BYTES_MAX) setTooLarge(true);
    else change(text);
  }

  /** The button goes with the document; the keyboard stays here. */
  function remove(): void {
    flushSync(() => change(''));
    field.current?.focus();
  }

  const isLong = value.length > LONG_DOCUMENT;
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <label htmlFor={isLong ? undefined : `${id}-spec`} className={classes.label}>
          {t('com_actions_spec')}
        </label>
        <FileButton
          size="sm"
          label={t('com_actions_spec_file')}
          accept=".json,.yaml,.yml,.txt,application/json,application/yaml,text/plain"
          onFile={(file) => void readFile(file)}
        />
      </div>
      {isLong ? (
        <div className={classes.row}>
          <span className={classes.help}>
            {t('com_actions_spec_long', { 0: formatBytes(value.length, i18n.language) })}
          </span>
          <Button size="sm" variant="subtle" onClick={remove}>
            {t('com_actions_spec_remove')}
          </Button>
        </div>
      ) : (
        <textarea
          ref={field}
          id={`${id}-spec`}
          className={classes.code}
          rows={12}
          dir="ltr"
          spellCheck={false}
          placeholder={t('com_actions_spec_hint')}
          value={value}
          onPaste={paste}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      {isTooLarge && (
        <p className={classes.error} role="alert">
          {t('com_actions_spec_over', { 0: formatBytes(SPEC_BYTES_MAX, i18n.language) })}
        </p>
      )}
    </div>
  );
}
