import { UnstyledButton } from '@mantine/core';
import type { ComponentProps } from 'react';
import { buttonClasses, type ButtonVariants } from './button-classes.ts';

export interface ButtonProps extends ComponentProps<'button'>, ButtonVariants {}

/**
 * Every button with text; an icon-only button is an `IconButton`. A link that looks like a button uses `buttonClasses`.
 */
export function Button({ variant, size, className, ...rest }: ButtonProps) {
  return <UnstyledButton className={buttonClasses({ variant, size }, className)} {...rest} />;
}
