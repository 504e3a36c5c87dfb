import type { ReactNode } from 'react';
import classes from './setting.module.css';

interface SettingProps {
  name: string;
  /** Of the control, when the name is its label. */
  controlId?: string;
  /** For a control that is described by the name. */
  nameId?: string;
  hint?: string;
  children: ReactNode;
}

/** A line of a tab: what is set, and the control that sets it. */
export function Setting({ name, controlId, nameId, hint, children }: SettingProps) {
  return (
    <div className={classes.setting}>
      <div className={classes.what}>
        {controlId ? <label htmlFor={controlId}>{name}</label> : <span id={nameId}>{name}</span>}
        {hint && <p className={classes.hint}>{hint}</p>}
      </div>
      {children}
    </div>
  );
}
