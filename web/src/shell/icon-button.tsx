import { UnstyledButton } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import classes from './icon-button.module.css';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  label: string;
  children: ReactNode;
}

/** A square button that is only an icon. Its label is spoken, and shown when the pointer rests on it. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <UnstyledButton
      className={className ? `${classes.button} ${className}` : classes.button}
      aria-label={label}
      title={label}
      {...rest}
    />
  );
}
