import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/ScrollArea.css';
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './dropdown.module.css';
import { fieldClasses } from './field-classes.ts';

/** With more options than this, the dropdown has a search field. */
const SEARCH_ABOVE = 10;
const IN_POPOVER = { withinPortal: false, floatingStrategy: 'fixed' } as const;

interface DropdownProps {
  /** Above the field. Without it, `labelledBy` names the element that labels it. */
  label?: string;
  labelledBy?: string;
  describedBy?: string | undefined;
  placeholder?: string;
  value: string | null;
  options: readonly string[];
  nameOf?: (option: string) => string;
  /** In a popover, which closes when the focus leaves it: the list stays in its element. */
  isInPopover?: boolean;
  onChange: (option: string) => void;
}

/** Picks one of several options; a selected value that is no longer offered stays in the list. */
export function Dropdown(props: DropdownProps) {
  const { label, labelledBy, describedBy, placeholder, value, options, nameOf = String, isInPopover, onChange } = props;
  const { t } = useTranslation();
  const all = value === null || options.includes(value) ? options : [value, ...options];
  return (
    <Select
      label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      placeholder={placeholder}
      value={value}
      data={all.map((option) => ({ value: option, label: nameOf(option) }))}
      searchable={all.length > SEARCH_ABOVE}
      allowDeselect={false}
      nothingFoundMessage={t('com_ui_nothing_found')}
      maxDropdownHeight={260}
      comboboxProps={isInPopover ? IN_POPOVER : {}}
      classNames={{ ...fieldClasses, option: classes.option, dropdown: classes.dropdown }}
      data-testid="select-dropdown-button"
      onChange={(option) => option !== null && onChange(option)}
    />
  );
}
