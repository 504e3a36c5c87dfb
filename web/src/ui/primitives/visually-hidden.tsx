import type { HTMLAttributes } from 'react';
import classes from './visually-hidden.module.css';

interface VisuallyHiddenProps extends HTMLAttributes<HTMLElement> {
  component?: 'span' | 'h1' | 'h2';
}

/** Words for those who hear the page. Not Mantine's, as with `PlainButton`. */
export function VisuallyHidden({ component: Tag = 'span', ...rest }: VisuallyHiddenProps) {
  return <Tag className={classes.hidden} {...rest} />;
}
