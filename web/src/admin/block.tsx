import { useId, type ReactNode } from 'react';
import classes from './admin.module.css';

/** A part of a section, with its heading. */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section className={classes.block} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}
