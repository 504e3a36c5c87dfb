import type { ComponentProps } from 'react';
import { buttonClasses, type ButtonVariants } from './button-classes.ts';
import { PlainButton } from './primitives/plain-button.tsx';

export interface ButtonProps extends ComponentProps<'button'>, ButtonVariants {}

/**
 * Every button with text; an icon-only button is an `IconButton`. A link that looks like a button uses `buttonClasses`.
 */
export function Button({ variant, size, className, ...rest }: ButtonProps) {
  return <PlainButton className={buttonClasses({ variant, size }, className)} {...rest} />;
}
