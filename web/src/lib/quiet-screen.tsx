import type { ReactNode } from 'react';
import classes from './quiet-screen.module.css';

/** A whole page with one thing to say and one way on. */
export function QuietScreen({ title, hint, children }: { title: string; hint?: string; children?: ReactNode }) {
  return (
    <main className={classes.page}>
      <h1 className={classes.title}>{title}</h1>
      {hint && <p className={classes.hint}>{hint}</p>}
      {children}
    </main>
  );
}
