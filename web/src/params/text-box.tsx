import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAutosize } from '../ui/hooks/use-autosize.ts';
import { FieldError } from './field-frame.tsx';
import classes from './params.module.css';
import { useTextEntry } from './use-text-entry.ts';

/** Characters that usually fit on one line. */
const LINE_MAX = 256;

interface TextBoxProps {
  label: string;
  value: string;
  /** In characters. */
  max: number;
  placeholder?: string | undefined;
  describedBy?: string | undefined;
  isOff?: boolean;
  onChange: (value: string) => void;
}

/** An autosizing text box. A text over the limit stays in the box, but is not used. */
export function TextBox({ label, value, max, placeholder, describedBy, isOff = false, onChange }: TextBoxProps) {
  const { t } = useTranslation();
  const faultId = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const { text, setText, settle } = useTextEntry(value);
  const isTooLong = text.length > max;
  useAutosize(area, text);

  function write(written: string): void {
    if (written.length > max) return setText(written, value);
    settle();
    onChange(written);
  }

  const shared = {
    className: classes.text,
    'aria-label': label,
    'aria-invalid': isTooLong || undefined,
    'aria-describedby': isTooLong ? faultId : describedBy,
    // An empty text has no direction of its own: use the page's.
    dir: text === '' ? undefined : 'auto',
    disabled: isOff,
    placeholder,
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => write(event.currentTarget.value),
  };
  return (
    <>
      {max <= LINE_MAX ? (
        <input type="text" autoComplete="off" {...shared} />
      ) : (
        <textarea ref={area} rows={2} {...shared} />
      )}
      {isTooLong && <FieldError id={faultId}>{t('com_params_too_long', { 0: max, 1: text.length })}</FieldError>}
    </>
  );
}
