import { IconFileImport } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { Button, type ButtonProps } from './button.tsx';

interface FileButtonProps extends Omit<ButtonProps, 'children' | 'onClick'> {
  label: string;
  /** As in the `accept` attribute of an input: the types the file dialog offers. */
  accept: string;
  onFile: (file: File) => void;
  /** Replaces the file icon; null for none. */
  icon?: ReactNode;
}

/** Lets the user choose one file. Choosing the same file again reports it again. */
export function FileButton({
  label,
  accept,
  onFile,
  icon = <IconFileImport aria-hidden />,
  ...button
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()}>
        {icon}
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // Browsers report no change when the same file is chosen again, so reset the input.
          currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}
