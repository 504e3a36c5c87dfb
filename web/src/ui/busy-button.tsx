import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
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

/** Submits the form that it stands in. */
export function SaveButton(props: Omit<BusyButtonProps, 'type' | 'variant' | 'children'>) {
  const { t } = useTranslation();
  return (
    <BusyButton type="submit" variant="filled" {...props}>
      {t('com_ui_save')}
    </BusyButton>
  );
}

/** Also prevents the form's submit. */
function doNothing(event: MouseEvent): void {
  event.preventDefault();
}
