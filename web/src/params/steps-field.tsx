import { useTranslation } from 'react-i18next';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import classes from './params.module.css';
import { optionName } from './param-labels.ts';

/** A few ordered options, as a slider with one step each. */
export function StepsField({ param, words, value, isOff, onChange }: FieldProps<'choice'>) {
  const { t } = useTranslation();
  const chosen = typeof value === 'string' ? value : param.default;
  const reset = () => onChange(undefined);
  return (
    <FieldFrame words={words} isChanged={chosen !== param.default} isOff={isOff} onReset={reset}>
      {({ help }) => (
        <>
          <input
            className={classes.range}
            type="range"
            min={0}
            max={param.options.length - 1}
            step={1}
            aria-label={words.label}
            aria-valuetext={optionName(chosen, t)}
            aria-describedby={help}
            disabled={isOff}
            value={param.options.indexOf(chosen)}
            onChange={(event) => onChange(param.options[event.currentTarget.valueAsNumber])}
            onDoubleClick={reset}
          />
          <div className={classes.steps} aria-hidden>
            {param.options.map((option) => (
              <span key={option} data-chosen={option === chosen || undefined}>
                {optionName(option, t)}
              </span>
            ))}
          </div>
        </>
      )}
    </FieldFrame>
  );
}
