import '@mantine/core/styles/Input.css';
import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { fieldClasses } from './field-classes.ts';

interface SelectFieldProps<Option extends string> extends Omit<
  NativeSelectProps,
  'size' | 'classNames' | 'data' | 'value' | 'onChange'
> {
  value: Option;
  options: readonly { value: Option; label: string }[];
  onChange: (option: Option) => void;
}

/** Picks one of a few options in the browser's own list. */
export function SelectField<Option extends string>({ options, onChange, ...input }: SelectFieldProps<Option>) {
  return (
    <NativeSelect
      {...input}
      classNames={fieldClasses}
      data={options}
      onChange={({ currentTarget }) => {
        const picked = options.find(({ value }) => value === currentTarget.value);
        if (picked) onChange(picked.value);
      }}
    />
  );
}
