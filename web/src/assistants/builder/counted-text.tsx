import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPosition } from '../../lib/format-number.ts';
import { useAutosize } from '../../ui/hooks/use-autosize.ts';
import classes from './builder.module.css';

interface CountedTextProps {
  label: string;
  value: string;
  /** In characters; the browser takes no more. */
  max: number;
  /** Of a text of several lines. */
  rows?: number;
  onChange: (value: string) => void;
}

/** A text with its length and how long it may be. */
export function CountedText({ label, value, max, rows, onChange }: CountedTextProps) {
  const { i18n } = useTranslation();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useAutosize(area, value);
  const shared = {
    id,
    className: classes.input,
    'aria-describedby': `${id}-count`,
    maxLength: max,
    dir: value === '' ? undefined : 'auto',
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
        <span id={`${id}-count`} className={classes.count}>
          {formatPosition(value.length, max, i18n.language)}
        </span>
      </div>
      {rows === undefined ? (
        <input type="text" autoComplete="off" {...shared} />
      ) : (
        <textarea ref={area} rows={rows} {...shared} />
      )}
    </div>
  );
}
