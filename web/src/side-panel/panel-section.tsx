import { IconChevronDown } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useId, type ReactNode } from 'react';
import classes from './panel-section.module.css';
import { activeEntryAtom } from './panel-state.ts';

interface Props {
  /** Its stored name. */
  name: string;
  label: string;
  icon: ReactNode;
  isUnfolded: boolean;
  children: ReactNode;
}

/** A section of the drawer that unfolds below its heading. One of them always is. */
export function PanelSection({ name, label, icon, isUnfolded, children }: Props) {
  const id = useId();
  const setActive = useSetAtom(activeEntryAtom);
  return (
    <section aria-label={label}>
      <button
        type="button"
        className={classes.heading}
        aria-expanded={isUnfolded}
        aria-controls={isUnfolded ? id : undefined}
        aria-disabled={isUnfolded || undefined}
        onClick={() => setActive(name)}
      >
        {icon}
        {label}
        <IconChevronDown className={classes.chevron} aria-hidden />
      </button>
      {isUnfolded && (
        <div id={id} className={classes.unfolded}>
          {children}
        </div>
      )}
    </section>
  );
}
