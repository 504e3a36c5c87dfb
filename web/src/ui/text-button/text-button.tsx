import type { ComponentProps } from 'react';
import classes from './text-button.module.css';

/** A button that looks like muted text, such as "Show more" below a folded text. */
export function TextButton(props: Omit<ComponentProps<'button'>, 'type' | 'className'>) {
  return <button {...props} type="button" className={classes.button} />;
}
