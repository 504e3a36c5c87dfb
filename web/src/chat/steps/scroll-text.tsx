import type { ComponentProps } from 'react';
import classes from './step.module.css';

/** A frame of text as it is, which scrolls inside. */
export function ScrollText({ label, ...rest }: ComponentProps<'pre'> & { label: string }) {
  // What scrolls has to be reachable by key.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  return <pre className={classes.text} role="group" aria-label={label} tabIndex={0} {...rest} />;
}
