import classes from './button.module.css';

export interface ButtonVariants {
  /**
   * `filled` is the primary action, at most one in view; `subtle` has no border; `danger` confirms before it deletes.
   */
  variant?: 'default' | 'filled' | 'subtle' | 'danger' | 'danger-filled' | undefined;
  /** 32 px in rows and messages, 36 px in dialogs, 44 px on full screens; on phones all are 44 px. */
  size?: 'sm' | 'md' | 'lg' | undefined;
}

/** The classes of a button, for links that look like one. `className` adds layout styles and wins. */
export function buttonClasses({ variant = 'default', size = 'md' }: ButtonVariants = {}, className?: string): string {
  return [classes.button, classes[variant], classes[size], className].filter(Boolean).join(' ');
}
