import '@mantine/core/styles/Input.css';
import { TextInput, type TextInputProps } from '@mantine/core';
import { fieldClasses, largeFieldClasses } from './field-classes.ts';

interface TextFieldProps extends Omit<TextInputProps, 'size' | 'classNames'> {
  isLarge?: boolean;
}

/** A line of text with its label above, and what is wrong with it below. */
export function TextField({ isLarge = false, ...input }: TextFieldProps) {
  return <TextInput autoComplete="off" {...input} classNames={isLarge ? largeFieldClasses : fieldClasses} />;
}
