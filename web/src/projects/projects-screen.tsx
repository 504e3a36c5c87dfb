import type { Folder } from '@parley/schema/convos/folders';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'wouter';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { describeError } from '../errors/describe-error.ts';
import { FolderIcon } from '../folders/folder-icon.tsx';
import { PROJECTS_PATH, projectPath } from '../folders/project-paths.ts';
import page from '../layout/page/page.module.css';
import { Page } from '../layout/page/page.tsx';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { trpc } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { ProjectPage } from './project-page.tsx';
import { SharedProjects } from './sharing/shared-projects.tsx';
import classes from './projects.module.css';
import { useRereadProjects } from './use-reread-projects.ts';

/** All projects of the person, or the page of one. A project is a folder of the sidebar. */
export function ProjectsScreen() {
  const { t } = useTranslation();
  const { folderId } = useParams();
  useRereadProjects();
  const list = trpc.folders.list.useQuery(undefined, { staleTime: Infinity });
  const folder = list.data?.find(({ id }) => id === folderId);
  if (folder) return <ProjectPage key={folder.id} folder={folder} />;
  const isOne = folderId !== undefined;
  return (
    <Page
      title={t(isOne ? 'com_project' : 'com_projects')}
      {...(isOne && { back: { href: PROJECTS_PATH, label: 'com_projects' } as const })}
      actions={!isOne && <NewButton />}
    >
      {!isOne && <p className={page.note}>{t('com_project_hint')}</p>}
      {list.isPending && <SkeletonRows count={4} />}
      {list.isError && (
        <div className={page.notice} role="alert">
          <p className={page.note}>{describeError(list.error, t)}</p>
          <Button onClick={() => void list.refetch()}>{t('com_ui_retry')}</Button>
        </div>
      )}
      {list.data && isOne && <p className={page.note}>{t('com_error_not_found_folder')}</p>}
      {list.data && !isOne && <ProjectList folders={list.data} />}
      {!isOne && <SharedProjects />}
    </Page>
  );
}

function NewButton() {
  const { t } = useTranslation();
  const show = useShowDialog();
  return (
    <Button ref={focusIfLost} variant="filled" onClick={() => show({ name: 'folder', folder: null, convos: [] })}>
      <IconPlus aria-hidden />
      {t('com_project_new')}
    </Button>
  );
}

function ProjectList({ folders }: { folders: readonly Folder[] }) {
  const { t } = useTranslation();
  const sizes = trpc.folders.sizes.useQuery(undefined, { staleTime: 0 }).data;
  if (folders.length === 0) return <p className={page.note}>{t('com_projects_none')}</p>;
  return (
    <ul className={classes.list} aria-label={t('com_projects')}>
      {folders.map(({ id, name, color, sharedBy }) => (
        <li key={id} className={classes.row}>
          <FolderIcon color={color} />
          <Link className={classes.name} href={projectPath(id)} dir="auto" data-tooltip={name} data-cut>
            {name}
          </Link>
          {sharedBy && <span className={classes.fact}>{t('com_project_shared_by', { 0: sharedBy.name })}</span>}
          {sizes && <span className={classes.fact}>{t('com_project_chats_count', { count: sizes[id] ?? 0 })}</span>}
        </li>
      ))}
    </ul>
  );
}
