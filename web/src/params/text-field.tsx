import type { ReactNode } from 'react';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import { TextBox } from './text-box.tsx';

interface TextFieldProps extends FieldProps<'text'> {
  /** Rendered below the box. */
  note?: ReactNode;
}

export function TextField({ param, words, value, isOff, onChange, note }: TextFieldProps) {
  const text = typeof value === 'string' ? value : '';
  return (
    <FieldFrame words={words} isChanged={text !== ''} isOff={isOff} onReset={() => onChange(undefined)}>
      {({ help }) => (
        <>
          <TextBox
            label={words.label}
            value={text}
            max={param.max}
            placeholder={words.placeholder}
            describedBy={help}
            isOff={isOff}
            onChange={onChange}
          />
          {note}
        </>
      )}
    </FieldFrame>
  );
}
