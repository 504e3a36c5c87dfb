import { UnstyledButton } from '@mantine/core';
import type { ComponentProps } from 'react';
import { buttonLook, type ButtonLook } from './button-look.ts';

export interface ButtonProps extends ComponentProps<'button'>, ButtonLook {}

/**
 * Every button with text; an icon-only button is an `IconButton`. A link that looks like a button uses `buttonLook`.
 */
export function Button({ variant, size, className, ...rest }: ButtonProps) {
  return <UnstyledButton className={buttonLook({ variant, size }, className)} {...rest} />;
}
