import { IconFileImport } from '@tabler/icons-react';
import { useRef, type ReactNode, type Ref } from 'react';
import { Button, type ButtonProps } from './button.tsx';

interface FileInputProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  /** As the attribute of an input: the types that the file dialog offers. All, without it. */
  accept?: string | undefined;
  multiple?: boolean | undefined;
  onFiles: (files: readonly File[]) => void;
}

/** The unseen input that a button clicks. Choosing the same file again reports it again. */
export function FileInput({ label, onFiles, ...input }: FileInputProps) {
  return (
    <input
      {...input}
      type="file"
      aria-label={label}
      tabIndex={-1}
      hidden
      onChange={({ currentTarget }) => {
        const chosen = [...(currentTarget.files ?? [])];
        // Browsers report no change when the same file is chosen again, so reset the input.
        currentTarget.value = '';
        if (chosen.length > 0) onFiles(chosen);
      }}
    />
  );
}

interface FilesButtonProps extends Omit<ButtonProps, 'children' | 'onClick'>, Omit<FileInputProps, 'ref'> {
  /** Replaces the file icon; null for none. */
  icon?: ReactNode;
}

/** Lets the user choose files: one, unless `multiple` says otherwise. */
export function FilesButton({
  label,
  icon = <IconFileImport aria-hidden />,
  accept,
  multiple,
  onFiles,
  ...button
}: FilesButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()}>
        {icon}
        {label}
      </Button>
      <FileInput ref={input} label={label} accept={accept} multiple={multiple} onFiles={onFiles} />
    </>
  );
}

interface FileButtonProps extends Omit<FilesButtonProps, 'onFiles' | 'multiple'> {
  onFile: (file: File) => void;
}

/** Lets the user choose one file. */
export function FileButton({ onFile, ...button }: FileButtonProps) {
  return <FilesButton {...button} onFiles={([file]) => file && onFile(file)} />;
}
