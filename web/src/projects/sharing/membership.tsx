import type { Folder } from '@parley/schema/convos/folders';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { PROJECTS_PATH } from '../../folders/project-paths.ts';
import page from '../../layout/page/page.module.css';
import { trpc } from '../../trpc.ts';
import { TwoClickButton } from '../../ui/two-click-button.tsx';
import { useShowError } from '../../ui/toast/use-show-error.ts';
import classes from '../projects.module.css';

/** Says whose a project is, and lets its person leave it; of one's own nothing. */
export function Membership({ folder: { id, sharedBy } }: { folder: Folder }) {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const showError = useShowError();
  const remove = trpc.folders.remove.useMutation({ onError: showError });
  if (sharedBy === undefined) return null;

  async function leave(): Promise<void> {
    await remove.mutateAsync({ id });
    navigate(PROJECTS_PATH);
    await utils.folders.invalidate();
  }

  return (
    <div className={classes.membership}>
      <p className={page.note}>
        {sharedBy ? t(`com_project_member_${sharedBy.level}`, { 0: sharedBy.name }) : t('com_project_member_ended')}
      </p>
      {sharedBy && <TwoClickButton label={t('com_project_leave')} confirm={t('com_project_leave_sure')} run={leave} />}
    </div>
  );
}
