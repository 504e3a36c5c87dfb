import type { ReactNode } from 'react';
import { useIsFound } from './search/find-settings.ts';
import classes from './setting.module.css';

interface SettingProps {
  name: string;
  /** The id of the control, if the name is its label. */
  controlId?: string;
  /** The id of the name, for a control it labels. */
  nameId?: string;
  hint?: string;
  /** The control; none for a setting whose content follows. */
  children?: ReactNode;
}

/** A row of a tab: the name of a setting, and its control. */
export function Setting({ name, controlId, nameId, hint, children }: SettingProps) {
  const isFound = useIsFound(`${name} ${hint ?? ''}`);
  if (!isFound) return null;
  return (
    <div className={classes.setting}>
      <div className={classes.label}>
        {controlId ? <label htmlFor={controlId}>{name}</label> : <span id={nameId}>{name}</span>}
        {hint && <p className={classes.hint}>{hint}</p>}
      </div>
      {children}
    </div>
  );
}
