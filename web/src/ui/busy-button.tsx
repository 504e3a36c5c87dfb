import type { MouseEvent } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import classes from './busy-button.module.css';

interface BusyButtonProps extends ButtonProps {
  isBusy: boolean;
}

/**
 * A button that shows a spinner and ignores clicks while busy. It is not disabled: that would drop the keyboard focus.
 */
export function BusyButton({ isBusy, disabled, onClick, className, children, ...rest }: BusyButtonProps) {
  return (
    <Button
      {...rest}
      disabled={disabled}
      className={[className, isBusy && classes.busy].filter(Boolean).join(' ')}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? doNothing : onClick}
    >
      {children}
    </Button>
  );
}

/** Also prevents the form's submit. */
function doNothing(event: MouseEvent): void {
  event.preventDefault();
}
