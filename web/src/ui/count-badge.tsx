import classes from './count-badge.module.css';

interface Props {
  count: number;
  /** In the corner of an icon button, whose name says the number. */
  isInCorner?: boolean;
}

/** A number on a button; nothing for zero. */
export function CountBadge({ count, isInCorner = false }: Props) {
  if (count === 0) return null;
  return (
    <span className={isInCorner ? classes.corner : classes.count} aria-hidden={isInCorner || undefined}>
      {count}
    </span>
  );
}
