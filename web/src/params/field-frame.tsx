import type { Param, SettingValue } from '@parley/schema/params';
import { IconRotate } from '@tabler/icons-react';
import { useId, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../shell/icon-button.tsx';
import classes from './params.module.css';
import type { ParamWords } from './param-words.ts';

/** What every kind of parameter is drawn from. */
export interface FieldProps<Kind extends Param['kind']> {
  param: Extract<Param, { kind: Kind }>;
  words: ParamWords;
  /** Undefined is the default. */
  value: SettingValue | undefined;
  /** Shown, but not to be changed. */
  isOff: boolean;
  onChange: (value: SettingValue | undefined) => void;
}

interface FieldFrameProps {
  words: ParamWords;
  isChanged: boolean;
  isOff: boolean;
  onReset: () => void;
  /** At the end of the line of the label. */
  aside?: ReactNode;
  /** Gets the ids of the label and of what is said about the parameter. */
  children: (ids: { label: string; help: string | undefined }) => ReactNode;
}

/** A parameter with its name, what it does, and the way back to its default while it is changed. */
export function FieldFrame({ words, isChanged, isOff, onReset, aside, children }: FieldFrameProps) {
  const { t } = useTranslation();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const help = isOff ? t('com_params_off_with_tools') : words.help;

  /** The button goes away: the focus goes to what it was about. */
  function reset(): void {
    onReset();
    frame.current?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true });
  }

  return (
    <div ref={frame} className={classes.field} role="group" aria-labelledby={`${id}-label`}>
      <div className={classes.head}>
        <span id={`${id}-label`} className={classes.label}>
          {words.label}
        </span>
        {isChanged && !isOff && (
          <IconButton className={classes.reset} label={t('com_params_reset', { 0: words.label })} onClick={reset}>
            <IconRotate aria-hidden />
          </IconButton>
        )}
        {aside}
      </div>
      {children({ label: `${id}-label`, help: help ? `${id}-help` : undefined })}
      {help && (
        <p id={`${id}-help`} className={classes.help}>
          {help}
        </p>
      )}
    </div>
  );
}

/** Why an entry is not used. Heard when it comes. */
export function Fault({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className={classes.fault} role="alert">
      {children}
    </p>
  );
}
