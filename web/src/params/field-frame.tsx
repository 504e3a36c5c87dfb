import type { Param, SettingValue } from '@parley/schema/catalog/params';
import { IconInfoCircle, IconRotate } from '@tabler/icons-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import classes from './params.module.css';
import type { ParamLabels } from './param-labels.ts';

/** Common props of all parameter fields. */
export interface FieldProps<Kind extends Param['kind']> {
  param: Extract<Param, { kind: Kind }>;
  words: ParamLabels;
  /** Undefined means the default. */
  value: SettingValue | undefined;
  /** Read-only. */
  isOff: boolean;
  onChange: (value: SettingValue | undefined) => void;
}

interface FieldFrameProps {
  words: ParamLabels;
  isChanged: boolean;
  isOff: boolean;
  onReset: () => void;
  /** At the end of the label's line. */
  aside?: ReactNode;
  /** Gets the ids of the label and the description. */
  children: (ids: { label: string; help: string | undefined }) => ReactNode;
}

/** A parameter with its label, its description on demand and, while changed, its reset button. */
export function FieldFrame({ words, isChanged, isOff, onReset, aside, children }: FieldFrameProps) {
  const { t } = useTranslation();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const help = isOff ? t('com_params_off_with_tools') : words.help;
  const [isExplained, setExplained] = useState(false);

  /** The reset button disappears: move the focus to the field. */
  function reset(): void {
    onReset();
    frame.current?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true });
  }

  return (
    <div ref={frame} className={classes.field} role="group" aria-labelledby={`${id}-label`}>
      <div className={classes.head}>
        <span className={classes.label}>
          <span id={`${id}-label`}>{words.label}</span>
          {help && !isOff && (
            <IconButton
              className={classes.explain}
              label={t('com_params_explain', { 0: words.label })}
              aria-expanded={isExplained}
              aria-controls={`${id}-help`}
              onClick={() => setExplained(!isExplained)}
            >
              <IconInfoCircle aria-hidden />
            </IconButton>
          )}
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
        // Also while hidden it describes the field to screen readers.
        <p id={`${id}-help`} className={classes.help} hidden={!isOff && !isExplained}>
          {help}
        </p>
      )}
    </div>
  );
}

/** Why an entry is not used. Announced when it appears. */
export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className={classes.error} role="alert">
      {children}
    </p>
  );
}
