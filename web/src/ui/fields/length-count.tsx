import { useTranslation } from 'react-i18next';
import { formatPosition } from '../../lib/format-number.ts';
import classes from './length-count.module.css';

/** Before this share of the longest text, nobody wants to know how long it is. */
const COUNTED_FROM = 0.9;

export function isNearEnd(length: number, max: number): boolean {
  return length >= max * COUNTED_FROM;
}

/** How long a text is and how long it may be, near its end. */
export function LengthCount({ id, length, max }: { id?: string; length: number; max: number }) {
  const { i18n } = useTranslation();
  if (!isNearEnd(length, max)) return null;
  return (
    <span id={id} className={classes.count}>
      {formatPosition(length, max, i18n.language)}
    </span>
  );
}
