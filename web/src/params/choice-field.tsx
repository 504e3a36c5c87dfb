import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import classes from './params.module.css';
import { optionName } from './param-labels.ts';

interface ChoiceFieldProps extends FieldProps<'choice'> {
  testId?: string | undefined;
}

/** A parameter with a few options side by side. */
export function ChoiceField({ param, words, value, isOff, testId, onChange }: ChoiceFieldProps) {
  const { t } = useTranslation();
  const chosen = typeof value === 'string' ? value : param.default;
  return (
    <FieldFrame words={words} isChanged={chosen !== param.default} isOff={isOff} onReset={() => onChange(undefined)}>
      {({ label }) => (
        <SegmentedControl
          className={classes.choice}
          fullWidth
          withItemsBorders={false}
          size="xs"
          aria-labelledby={label}
          data-testid={testId}
          disabled={isOff}
          data={param.options.map((option) => ({ value: option, label: optionName(option, t) }))}
          value={chosen}
          onChange={onChange}
        />
      )}
    </FieldFrame>
  );
}
