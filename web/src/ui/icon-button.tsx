import type { ComponentProps, ReactNode } from 'react';
import classes from './icon-button.module.css';
import { PlainButton } from './primitives/plain-button.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  label: string;
  children: ReactNode;
}

/** A square icon-only button. Its label is its accessible name and its tooltip. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <PlainButton
      className={className ? `${classes.button} ${className}` : classes.button}
      aria-label={label}
      data-tooltip={label}
      {...rest}
    />
  );
}
