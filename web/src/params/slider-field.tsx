import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTyped } from '../lib/format-number.ts';
import { FieldError, FieldFrame, type FieldProps } from './field-frame.tsx';
import classes from './params.module.css';
import { isWholeOnly, readNumber } from './read-number.ts';
import { useTextEntry } from './use-text-entry.ts';

/** A number, with a slider and a text input. A double click on the slider resets it. */
export function SliderField({ param, words, value, isOff, onChange }: FieldProps<'slider'>) {
  const { t, i18n } = useTranslation();
  const faultId = useId();
  const current = typeof value === 'number' ? value : param.default;
  const { text, setText, settle } = useTextEntry(formatTyped(current, i18n.language));
  const isWrong = readNumber(text, param) === null;
  const sentence = isWholeOnly(param) ? 'com_params_whole_number' : 'com_params_number';

  function reset(): void {
    settle();
    onChange(undefined);
  }

  /** An invalid number stays in the box, and the previous value stays in use. */
  function write(written: string): void {
    const number = readNumber(written, param);
    const taken = typeof number === 'number' ? number : current;
    setText(written, formatTyped(taken, i18n.language));
    if (taken !== current) onChange(taken);
  }

  return (
    <FieldFrame
      words={words}
      isChanged={current !== param.default || isWrong}
      isOff={isOff}
      onReset={reset}
      aside={
        <input
          className={classes.number}
          type="text"
          inputMode={param.min < 0 ? 'text' : 'decimal'}
          autoComplete="off"
          aria-label={words.label}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? faultId : undefined}
          disabled={isOff}
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
          onBlur={() => !isWrong && settle()}
        />
      }
    >
      {({ help }) => (
        <>
          <input
            className={classes.range}
            type="range"
            min={param.min}
            max={param.max}
            step={param.step}
            aria-label={words.label}
            aria-describedby={help}
            disabled={isOff}
            value={current}
            onChange={(event) => {
              settle();
              onChange(event.currentTarget.valueAsNumber);
            }}
            onDoubleClick={reset}
          />
          {isWrong && <FieldError id={faultId}>{t(sentence, { 0: param.min, 1: param.max, 2: current })}</FieldError>}
        </>
      )}
    </FieldFrame>
  );
}
