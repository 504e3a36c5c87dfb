import type { ComponentProps } from 'react';
import classes from './plain-button.module.css';

/** A button without a look. Not Mantine's: the first screen has buttons, and would load all of its styling for them. */
export function PlainButton({ className = '', ...rest }: ComponentProps<'button'>) {
  return <button type="button" className={`mantine-focus-auto ${classes.button} ${className}`} {...rest} />;
}
