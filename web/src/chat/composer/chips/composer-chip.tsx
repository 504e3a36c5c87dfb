import { IconX, type Icon } from '@tabler/icons-react';
import classes from './composer-chip.module.css';

interface ComposerChipProps {
  icon: Icon;
  /** Without one it keeps the place of a chip that comes. */
  label?: string;
  /** What it means for the question. */
  about?: string;
  /** The name of the button that takes it away. */
  removal?: string;
  onRemove?: () => void;
}

/** What is on for the question being written; one press takes it away. */
export function ComposerChip({ icon: Sign, label, about, removal, onRemove }: ComposerChipProps) {
  if (label === undefined) return <li className={classes.chip} data-waiting aria-hidden />;
  return (
    <li className={classes.chip} data-tooltip={about}>
      <Sign aria-hidden />
      <span className="ellipsis" dir="auto">
        {label}
      </span>
      <button type="button" className={classes.remove} aria-label={removal} onClick={onRemove}>
        <IconX aria-hidden />
      </button>
    </li>
  );
}
