import { useTranslation } from 'react-i18next';
import { formatNumber } from '../lib/format-number.ts';
import classes from './count-badge.module.css';

interface Props {
  count: number;
  /** In the corner of an icon button, whose name contains the number. */
  isInCorner?: boolean;
}

/** A number on a button; nothing for zero. */
export function CountBadge({ count, isInCorner = false }: Props) {
  const { i18n } = useTranslation();
  if (count === 0) return null;
  return (
    <span className={isInCorner ? classes.corner : classes.count} aria-hidden={isInCorner || undefined}>
      {formatNumber(count, i18n.language)}
    </span>
  );
}
