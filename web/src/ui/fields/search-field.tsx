import { IconSearch } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import classes from './search-field.module.css';

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'aria-label' | 'placeholder'> {
  /** The placeholder, and by default the accessible name. */
  placeholder: string;
  /** Overrides the accessible name. */
  label?: string;
  value: string;
  /** At the end of the field: a clear button or a shortcut. */
  end?: ReactNode;
  /** The class of the frame around the field. */
  className?: string | undefined;
}

/** A search input. Its parent decides what happens with the text. */
export function SearchField({ placeholder, label = placeholder, value, end, className, ...input }: SearchFieldProps) {
  return (
    <div className={className ? `${classes.frame} ${className}` : classes.frame}>
      <IconSearch aria-hidden />
      <input
        className={classes.input}
        placeholder={placeholder}
        aria-label={label}
        autoComplete="off"
        // A query detects its own direction; the placeholder has the page's.
        dir={value === '' ? undefined : 'auto'}
        value={value}
        {...input}
      />
      {end}
    </div>
  );
}
