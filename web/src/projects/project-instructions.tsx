import { FOLDER_INSTRUCTIONS_MAX } from '@parley/schema/convos/folder-rules';
import type { Folder } from '@parley/schema/convos/folders';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { trpc } from '../trpc.ts';
import { LengthCount } from '../ui/fields/length-count.tsx';
import { useAutosave } from '../ui/hooks/use-autosave.ts';
import { useAutosize } from '../ui/hooks/use-autosize.ts';
import classes from './projects.module.css';

/** The instructions of a folder, saved while they are written. */
export function ProjectInstructions({ folder: { id, instructions } }: { folder: Folder }) {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const { mutateAsync } = trpc.folders.update.useMutation({
    onSuccess: (saved) =>
      utils.folders.list.setData(undefined, (all) => all?.map((one) => (one.id === saved.id ? saved : one))),
  });
  const save = (text: string) => mutateAsync({ id, instructions: text });
  const { value, change, state, error } = useAutosave(instructions, save);
  const area = useRef<HTMLTextAreaElement>(null);
  useAutosize(area, value);
  return (
    <div>
      <textarea
        ref={area}
        className={classes.area}
        aria-label={t('com_ui_folder_instructions')}
        rows={3}
        dir={value === '' ? undefined : 'auto'}
        maxLength={FOLDER_INSTRUCTIONS_MAX}
        placeholder={t('com_project_instructions_example')}
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <div className={classes.below}>
        <p className={classes.state} role="status" data-error={error !== null || undefined}>
          {error === null ? state === 'saved' && t('com_personal_saved') : describeError(error, t)}
        </p>
        <LengthCount length={value.length} max={FOLDER_INSTRUCTIONS_MAX} />
      </div>
    </div>
  );
}
