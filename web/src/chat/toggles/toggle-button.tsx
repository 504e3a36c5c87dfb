import type { Icon } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { PlainButton } from '../../ui/primitives/plain-button.tsx';
import classes from './toggle-button.module.css';

export interface ToggleButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: Icon;
  /** What is seen; `aria-label` may say more. */
  label: string;
  /** It is on, or differs from what is usual. */
  isOn: boolean;
}

/** A small control beside the message box; tinted while it is on. */
export function ToggleButton({ icon: Sign, label, isOn, className = '', ...rest }: ToggleButtonProps) {
  return (
    <PlainButton className={`${classes.toggle} ${className}`} data-on={isOn || undefined} {...rest}>
      <Sign aria-hidden />
      <span>{label}</span>
    </PlainButton>
  );
}
