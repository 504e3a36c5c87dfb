import type { ReactNode } from 'react';
import classes from './button-row.module.css';

interface ButtonRowProps {
  /** The last row of a form or dialog: the buttons stand at its end; on a phone they share its width. */
  end?: boolean;
  /** Adds layout styles and wins. */
  className?: string | undefined;
  children: ReactNode;
}

/** Buttons side by side, on more lines where they do not fit. */
export function ButtonRow({ end = false, className, children }: ButtonRowProps) {
  return <div className={[classes.row, end && classes.end, className].filter(Boolean).join(' ')}>{children}</div>;
}
