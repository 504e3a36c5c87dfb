import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { focusComposer } from '../../slots/focus-composer.ts';
import { useSlotIndex } from '../../slots/slot.ts';

interface FileInputsProps {
  files: RefObject<HTMLInputElement | null>;
  camera: RefObject<HTMLInputElement | null>;
  onFiles: (files: readonly File[]) => void;
}

/**
 * The hidden fields behind the rows that open a dialog of files or the camera. Without an `accept` list, phones offer
 * camera, gallery and files, and desktops hide nothing that the operator may have allowed; the checks tell what is not.
 */
export function FileInputs({ files, camera, onFiles }: FileInputsProps) {
  const { t } = useTranslation();
  const index = useSlotIndex();

  function take(field: HTMLInputElement): void {
    const chosen = [...(field.files ?? [])];
    // Browsers report no change when the same file is chosen again.
    field.value = '';
    onFiles(chosen);
    focusComposer(index);
  }

  const hidden = { type: 'file', hidden: true, tabIndex: -1 } as const;
  return (
    <>
      <input
        {...hidden}
        ref={files}
        multiple
        aria-label={t('com_files_attach')}
        data-testid="attach-input"
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <input
        {...hidden}
        ref={camera}
        accept="image/*"
        capture="environment"
        aria-label={t('com_files_camera')}
        data-testid="camera-input"
        onChange={({ currentTarget }) => take(currentTarget)}
      />
    </>
  );
}
