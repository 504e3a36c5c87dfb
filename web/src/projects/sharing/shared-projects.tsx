import type { SharedFolder } from '@parley/schema/convos/access-rules';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { projectPath } from '../../folders/project-paths.ts';
import { newId } from '../../lib/new-id.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { useShowError } from '../../ui/toast/use-show-error.ts';
import classes from '../projects.module.css';
import { Section } from '../section.tsx';

/** What others share with this person, who has not added it yet; nothing where there is none. */
export function SharedProjects() {
  const { data = [] } = trpc.folders.shared.useQuery(undefined, { refetchOnMount: 'always' });
  if (data.length === 0) return null;
  return (
    <Section title="com_projects_shared" hint="com_projects_shared_hint">
      <ul className={classes.list}>
        {data.map((shared) => (
          <SharedRow key={`${shared.ownerId} ${shared.folderId}`} shared={shared} />
        ))}
      </ul>
    </Section>
  );
}

function SharedRow({ shared: { ownerId, folderId, name, owner, level } }: { shared: SharedFolder }) {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const onError = useShowError();
  const add = trpc.folders.addShared.useMutation({
    onError,
    onSuccess: async ({ id }) => {
      await utils.folders.list.invalidate();
      navigate(projectPath(id));
      await utils.folders.shared.invalidate();
    },
  });
  return (
    <li className={classes.row}>
      <span className={classes.name} dir="auto">
        {name}
      </span>
      <span className={classes.fact}>{t(`com_project_shared_by_${level}`, { 0: owner })}</span>
      <BusyButton
        size="sm"
        isBusy={add.isPending}
        aria-label={t('com_projects_add', { 0: name })}
        onClick={() => add.mutate({ id: newId(), ownerId, folderId })}
      >
        {t('com_projects_add_short')}
      </BusyButton>
    </li>
  );
}
