// Tests of this room: tests/unit/web/fields, tests/unit/web/errors.
import type { ReactNode } from 'react';
import { Brand } from './brand/brand.tsx';
import classes from './blank-screen.module.css';

/** A full page with one message and one action. */
export function BlankScreen({ title, hint, children }: { title: string; hint?: string; children?: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.brand}>
        <Brand />
      </div>
      <h1 className={classes.title}>{title}</h1>
      {hint && <p className={classes.hint}>{hint}</p>}
      {children}
    </main>
  );
}
