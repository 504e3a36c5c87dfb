import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import classes from './params.module.css';

export function SwitchField({ param, words, value, isOff, onChange }: FieldProps<'toggle'>) {
  const isOn = typeof value === 'boolean' ? value : param.default;
  return (
    <FieldFrame
      words={words}
      isChanged={isOn !== param.default}
      isOff={isOff}
      onReset={() => onChange(undefined)}
      aside={
        <Switch
          className={classes.switch}
          aria-label={words.label}
          checked={isOn}
          disabled={isOff}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      }
    >
      {() => null}
    </FieldFrame>
  );
}
