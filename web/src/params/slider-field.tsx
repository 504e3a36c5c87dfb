import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Fault, FieldFrame, type FieldProps } from './field-frame.tsx';
import classes from './params.module.css';
import { isWholeOnly, readNumber } from './read-number.ts';
import { useEntry } from './use-entry.ts';

/** A number, by hand on a slider or written exactly. Two clicks on the slider bring the default back. */
export function SliderField({ param, words, value, isOff, onChange }: FieldProps<'slider'>) {
  const { t } = useTranslation();
  const faultId = useId();
  const current = typeof value === 'number' ? value : param.default;
  const { text, setText, settle } = useEntry(String(current));
  const isWrong = readNumber(text, param) === null;
  const sentence = isWholeOnly(param) ? 'com_params_whole_number' : 'com_params_number';

  function reset(): void {
    settle();
    onChange(undefined);
  }

  /** A text that is no number of this parameter stays where it is, and the number before it stays in use. */
  function write(written: string): void {
    const number = readNumber(written, param);
    const taken = typeof number === 'number' ? number : current;
    setText(written, String(taken));
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
          {isWrong && <Fault id={faultId}>{t(sentence, { 0: param.min, 1: param.max, 2: current })}</Fault>}
        </>
      )}
    </FieldFrame>
  );
}
