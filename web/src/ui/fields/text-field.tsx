import '@mantine/core/styles/Input.css';
import { TextInput, type TextInputProps } from '@mantine/core';
import { fieldClasses, largeFieldClasses } from './field-classes.ts';
import { isNearEnd, LengthCount } from './length-count.tsx';

interface TextFieldProps extends Omit<TextInputProps, 'size' | 'classNames'> {
  isLarge?: boolean;
}

/** A line of text with its label above, what is wrong with it below, and near its longest, how long it is. */
export function TextField({ isLarge = false, ...input }: TextFieldProps) {
  const { value, maxLength } = input;
  const isCounted = typeof value === 'string' && maxLength !== undefined && isNearEnd(value.length, maxLength);
  return (
    <TextInput
      autoComplete="off"
      {...(isCounted && {
        rightSection: <LengthCount length={value.length} max={maxLength} />,
        rightSectionWidth: 'max-content',
      })}
      {...input}
      classNames={isLarge ? largeFieldClasses : fieldClasses}
    />
  );
}
