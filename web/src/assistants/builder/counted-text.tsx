import { useId, useRef } from 'react';
import { isNearEnd, LengthCount } from '../../ui/fields/length-count.tsx';
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

/** A text; near its end with its length and how long it may be. */
export function CountedText({ label, value, max, rows, onChange }: CountedTextProps) {
  const id = useId();
  const isCounted = isNearEnd(value.length, max);
  const area = useRef<HTMLTextAreaElement>(null);
  useAutosize(area, value);
  const shared = {
    id,
    className: classes.input,
    'aria-describedby': isCounted ? `${id}-count` : undefined,
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
        <LengthCount id={`${id}-count`} length={value.length} max={max} />
      </div>
      {rows === undefined ? (
        <input type="text" autoComplete="off" {...shared} />
      ) : (
        <textarea ref={area} rows={rows} {...shared} />
      )}
    </div>
  );
}
