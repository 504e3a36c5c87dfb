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

/** Before this share of the longest text, nobody wants to know how long it is. */
const COUNTED_FROM = 0.8;

/** A text; near its end with its length and how long it may be. */
export function CountedText({ label, value, max, rows, onChange }: CountedTextProps) {
  const { i18n } = useTranslation();
  const id = useId();
  const isNearEnd = value.length >= max * COUNTED_FROM;
  const area = useRef<HTMLTextAreaElement>(null);
  useAutosize(area, value);
  const shared = {
    id,
    className: classes.input,
    'aria-describedby': isNearEnd ? `${id}-count` : undefined,
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
        {isNearEnd && (
          <span id={`${id}-count`} className={classes.count}>
            {formatPosition(value.length, max, i18n.language)}
          </span>
        )}
      </div>
      {rows === undefined ? (
        <input type="text" autoComplete="off" {...shared} />
      ) : (
        <textarea ref={area} rows={rows} {...shared} />
      )}
    </div>
  );
}
