import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAutosize } from '../chat/composer/autosize.ts';
import { Fault } from './field-frame.tsx';
import classes from './params.module.css';
import { useEntry } from './use-entry.ts';

/** What fits one line as a rule, in characters. */
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

/** A text that grows with its lines. One that is too long stays in the box, and is not used. */
export function TextBox({ label, value, max, placeholder, describedBy, isOff = false, onChange }: TextBoxProps) {
  const { t } = useTranslation();
  const faultId = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const { text, setText, settle } = useEntry(value);
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
    // Of an empty text nobody can tell the direction: it has that of the page.
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
      {isTooLong && <Fault id={faultId}>{t('com_params_too_long', { 0: max, 1: text.length })}</Fault>}
    </>
  );
}
