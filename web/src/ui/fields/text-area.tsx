import '@mantine/core/styles/Input.css';
import { Textarea, type TextareaProps } from '@mantine/core';
import { fieldClasses } from './field-classes.ts';

/** Lines of text with their label above. */
export function TextArea(input: Omit<TextareaProps, 'size' | 'classNames'>) {
  return <Textarea {...input} classNames={fieldClasses} />;
}
