import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/ScrollArea.css';
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fieldLook } from '../ui/fields/field-look.ts';
import classes from './preset-dialog.module.css';

/** With more options than this, the dropdown has a search field. */
const SEARCH_ABOVE = 10;

interface DropdownProps {
  label: string;
  placeholder?: string;
  value: string | null;
  options: readonly string[];
  nameOf?: (option: string) => string;
  onChange: (option: string) => void;
}

/** Picks one of several options; a selected value that is no longer offered stays in the list. */
export function Dropdown({ label, placeholder, value, options, nameOf = String, onChange }: DropdownProps) {
  const { t } = useTranslation();
  const all = value === null || options.includes(value) ? options : [value, ...options];
  return (
    <Select
      label={label}
      placeholder={placeholder}
      value={value}
      data={all.map((option) => ({ value: option, label: nameOf(option) }))}
      searchable={all.length > SEARCH_ABOVE}
      allowDeselect={false}
      nothingFoundMessage={t('com_endpoint_preset_nothing_found')}
      maxDropdownHeight={260}
      classNames={{ ...fieldLook, option: classes.option, dropdown: classes.dropdown }}
      data-testid="select-dropdown-button"
      onChange={(option) => option !== null && onChange(option)}
    />
  );
}
