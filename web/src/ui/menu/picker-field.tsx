import type { ComponentProps } from 'react';
import { SearchField } from '../fields/search-field.tsx';
import classes from './picker-list.module.css';

interface Props extends Omit<ComponentProps<typeof SearchField>, 'className'> {
  /** The id of the list. */
  listId: string;
  /** Without one, the field only takes the keys. */
  isSeen: boolean;
}

/**
 * The search field of a list to pick from, focused when it opens. Mantine adds its own in an effect after render; this
 * one exists exactly as long as the list.
 */
export function PickerField({ listId, isSeen, ...field }: Props) {
  return (
    <SearchField
      {...field}
      className={isSeen ? classes.search : classes.keysOnly}
      readOnly={!isSeen}
      autoFocus
      role="combobox"
      aria-expanded
      aria-controls={listId}
    />
  );
}
