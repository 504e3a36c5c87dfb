import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Popover.css';
import { NativeSelect, Select, type NativeSelectProps } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isTouchDevice } from '../../lib/is-touch-device.ts';
import { fieldClasses } from './field-classes.ts';
import classes from './select-field.module.css';

/** So many options are read at a glance; among more of them one types a part of a name. */
const READ_AT_ONCE = 8;
const IN_POPOVER = { withinPortal: false, floatingStrategy: 'fixed' } as const;

interface SelectOption<Option extends string> {
  value: Option;
  label: string;
}

interface SelectFieldProps<Option extends string> extends Pick<
  NativeSelectProps,
  'id' | 'label' | 'description' | 'disabled' | 'required' | 'aria-label' | 'aria-labelledby' | 'aria-describedby'
> {
  value: Option | null;
  options: readonly SelectOption<Option>[];
  /** Shown while nothing is chosen. */
  placeholder?: string;
  /** In a popover, which closes when the focus leaves it: a list of its own stays in its element. */
  isInPopover?: boolean;
  'data-testid'?: string;
  onChange: (option: Option) => void;
}

/**
 * Picks one of several options; a value that is not offered any more stays in the list. Few options are in the list of the
 * browser, which every reader and keyboard knows. Many have a search; not on touch devices, where the browser has a sheet
 * for the thumb, and the keyboard of a search would cover the list.
 */
export function SelectField<Option extends string>(props: SelectFieldProps<Option>) {
  const { value, options } = props;
  const isOffered = value === null || options.some((option) => option.value === value);
  const all = isOffered ? options : [{ value, label: value }, ...options];
  const Field = all.length > READ_AT_ONCE && !isTouchDevice() ? SearchedSelect : BrowserSelect;
  return <Field {...props} options={all} />;
}

const look = { size: 'sm', rightSection: <IconChevronDown className={classes.chevron} aria-hidden /> } as const;

function BrowserSelect<Option extends string>(props: SelectFieldProps<Option>) {
  const { value, options, placeholder, isInPopover: _, onChange, ...field } = props;
  const data = value === null ? [{ value: '', label: placeholder ?? '', disabled: true }, ...options] : options;
  return (
    <NativeSelect
      {...field}
      {...look}
      classNames={fieldClasses}
      data={data}
      value={value ?? ''}
      onChange={({ currentTarget }) => pick(currentTarget.value, options, onChange)}
    />
  );
}

function SearchedSelect<Option extends string>(props: SelectFieldProps<Option>) {
  const { options, isInPopover = false, onChange, ...field } = props;
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <Select
      {...field}
      {...look}
      ref={input}
      classNames={{ ...fieldClasses, option: classes.option, options: classes.options, dropdown: classes.dropdown }}
      data={options}
      searchable
      openOnFocus={false}
      selectFirstOptionOnChange
      allowDeselect={false}
      nothingFoundMessage={t('com_ui_nothing_found')}
      // The list itself scrolls: readers know that of a list, not of a box around it.
      withScrollArea={false}
      comboboxProps={isInPopover ? IN_POPOVER : {}}
      // What is typed takes the place of the name that is chosen.
      onDropdownOpen={() => input.current?.select()}
      // A click into selected text takes the selection away after it was heard: the next opening would not select.
      onDropdownClose={() => isFocused(input.current) && input.current?.setSelectionRange(0, 0)}
      onChange={(picked) => pick(picked, options, onChange)}
    />
  );
}

function isFocused(element: Element | null): boolean {
  return element !== null && element === document.activeElement;
}

function pick<Option extends string>(
  picked: string | null,
  options: SelectFieldProps<Option>['options'],
  onChange: SelectFieldProps<Option>['onChange'],
): void {
  const option = options.find(({ value }) => value === picked);
  if (option) onChange(option.value);
}
