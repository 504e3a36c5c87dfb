import { IconDots } from '@tabler/icons-react';
import type { ComponentProps, Ref } from 'react';
import { IconButton } from '../icon-button.tsx';

export interface DotsButtonProps {
  buttonProps: Omit<ComponentProps<typeof IconButton>, 'children'>;
  ref: Ref<HTMLButtonElement>;
  /** Loads the menu, when it is about to be wanted. */
  preload: () => void;
  onOpen: () => void;
}

/** The button of a `DotsMenu` that has not been opened yet. */
export function DotsButton({ buttonProps, ref, preload, onOpen }: DotsButtonProps) {
  return (
    <IconButton
      {...buttonProps}
      ref={ref}
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={onOpen}
    >
      <IconDots aria-hidden />
    </IconButton>
  );
}
