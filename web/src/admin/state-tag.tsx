import type { ReactNode } from 'react';
import classes from './state-tag.module.css';

/** One word for the state of what administrators manage. */
export function StateTag({ tone, children }: { tone: 'good' | 'quiet' | 'bad'; children: ReactNode }) {
  return (
    <span className={classes.state} data-tone={tone}>
      {children}
    </span>
  );
}
