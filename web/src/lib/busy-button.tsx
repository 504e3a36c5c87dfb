import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/Loader.css';
import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps, MouseEvent } from 'react';

interface BusyButtonProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  isBusy: boolean;
}

/**
 * A button that shows that it is at work, and does nothing more meanwhile. It is not disabled: that would take the focus
 * from whoever pressed it by key.
 */
export function BusyButton({ isBusy, disabled, onClick, ...rest }: BusyButtonProps) {
  return (
    <Button
      {...rest}
      loading={isBusy}
      disabled={disabled}
      onClick={isBusy ? doNothing : onClick}
      renderRoot={(root) => <button {...root} disabled={disabled} aria-disabled={isBusy || undefined} />}
    />
  );
}

/** Not even what a press of a form's button does by itself. */
function doNothing(event: MouseEvent): void {
  event.preventDefault();
}
