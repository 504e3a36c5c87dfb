import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearch } from 'wouter';
import { describeError } from '../../errors/describe-error.ts';
import pageClasses from '../../layout/page/page.module.css';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import providerClasses from '../providers/providers-section.module.css';
import { GroupDialog } from './group-dialog.tsx';
import { GroupPage } from './group-page.tsx';
import { GroupTable } from './group-table.tsx';

/** The groups of this server, and the page of one of them. */
export function GroupsSection() {
  const { t } = useTranslation();
  const { data: groups, error } = trpc.admin.groups.list.useQuery(undefined, { refetchOnMount: 'always' });
  const opened = new URLSearchParams(useSearch()).get('group');
  const [isNew, setNew] = useState(false);
  if (error) return <p className={pageClasses.note}>{describeError(error, t)}</p>;
  if (!groups) return <SkeletonRows count={4} />;
  if (opened !== null) return <GroupPage group={groups.find(({ id }) => id === opened) ?? null} />;
  return (
    <>
      <div className={providerClasses.top}>
        <p className={pageClasses.note}>{t('com_groups_about')}</p>
        <Button variant="filled" onClick={() => setNew(true)}>
          {t('com_groups_new')}
        </Button>
      </div>
      {groups.length === 0 ? (
        <p className={pageClasses.note}>{t('com_groups_none')}</p>
      ) : (
        <GroupTable groups={groups} />
      )}
      {isNew && <GroupDialog group={null} onClose={() => setNew(false)} />}
    </>
  );
}
