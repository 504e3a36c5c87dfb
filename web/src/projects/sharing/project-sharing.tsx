import type { SetAccess } from '@parley/schema/convos/access';
import { ACCESS_LEVELS, type Access, type AccessLevel } from '@parley/schema/convos/access-rules';
import { IconUser, IconUsers, IconWorld, IconX } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import page from '../../layout/page/page.module.css';
import { useStartup } from '../../startup.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Problem } from '../../ui/primitives/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { useShowError } from '../../ui/toast/use-show-error.ts';
import classes from '../projects.module.css';

const EVERYONE = 'everyone';

/** Whom its owner shares a project with. */
export function ProjectSharing({ folderId }: { folderId: string }) {
  const { t } = useTranslation();
  const list = trpc.folders.access.useQuery({ id: folderId }, { refetchOnMount: 'always' });
  const { given = [], groups = [] } = list.data ?? {};
  const isGiven = (groupId: string) => given.some((one) => one.to === 'group' && one.groupId === groupId);
  return (
    <>
      {list.isPending && <SkeletonRows count={2} />}
      {list.error && <Problem>{describeError(list.error, t)}</Problem>}
      {list.data && given.length === 0 && <p className={page.note}>{t('com_project_access_none')}</p>}
      {given.length > 0 && (
        <ul className={classes.list} aria-label={t('com_project_access')}>
          {given.map((one) => (
            <AccessRow key={keyOf(one)} folderId={folderId} access={one} />
          ))}
        </ul>
      )}
      {list.data && (
        <>
          <AddPerson folderId={folderId} />
          <AddGroup
            folderId={folderId}
            groups={groups.filter(({ id }) => !isGiven(id))}
            isForAll={given.some(({ to }) => to === EVERYONE)}
          />
        </>
      )}
    </>
  );
}

function useSetAccess(folderId: string) {
  const utils = trpc.useUtils();
  const set = trpc.folders.setAccess.useMutation({
    onSuccess: (access) => utils.folders.access.setData({ id: folderId }, access),
  });
  const save = (to: SetAccess['to'], level: AccessLevel | null) => set.mutateAsync({ id: folderId, to, level });
  return { ...set, save };
}

function AccessRow({ folderId, access }: { folderId: string; access: Access }) {
  const { t } = useTranslation();
  const showError = useShowError();
  const { save, isPending } = useSetAccess(folderId);
  const name = access.to === 'everyone' ? t('com_project_access_everyone') : access.name;
  const Icon = access.to === 'everyone' ? IconWorld : access.to === 'group' ? IconUsers : IconUser;
  const set = (level: AccessLevel | null) => void save(toOf(access), level).catch(showError);
  return (
    <li className={classes.row}>
      <Icon className={classes.rowIcon} aria-hidden />
      <span className={classes.name} dir="auto">
        {name}
      </span>
      <LevelField label={t('com_project_access_level', { 0: name })} level={access.level} onChange={set} />
      <IconButton label={t('com_project_access_take', { 0: name })} disabled={isPending} onClick={() => set(null)}>
        <IconX aria-hidden />
      </IconButton>
    </li>
  );
}

interface LevelFieldProps {
  label: string;
  level: AccessLevel;
  onChange: (level: AccessLevel) => void;
}

function LevelField({ label, level, onChange }: LevelFieldProps) {
  const { t } = useTranslation();
  return (
    <SelectField
      aria-label={label}
      value={level}
      options={ACCESS_LEVELS.map((value) => ({ value, label: t(`com_project_level_${value}`) }))}
      onChange={onChange}
    />
  );
}

/** By the whole address or user name: people are not listed. */
function AddPerson({ folderId }: { folderId: string }) {
  const { t } = useTranslation();
  const [login, setLogin] = useState('');
  const [level, setLevel] = useState<AccessLevel>('use');
  const { save, isPending, error, reset } = useSetAccess(folderId);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (login.trim() === '' || isPending) return;
    save({ to: 'login', login: login.trim() }, level).then(
      () => setLogin(''),
      () => {},
    );
  }

  return (
    <form className={classes.share} noValidate onSubmit={submit}>
      <TextField
        className={classes.shareName}
        label={t('com_project_access_person')}
        maxLength={320}
        autoCapitalize="none"
        spellCheck={false}
        value={login}
        error={error && describeError(error, t)}
        onChange={({ currentTarget }) => {
          setLogin(currentTarget.value);
          reset();
        }}
      />
      <LevelField label={t('com_project_access_new_level')} level={level} onChange={setLevel} />
      <BusyButton type="submit" isBusy={isPending} disabled={login.trim() === ''}>
        {t('com_project_share')}
      </BusyButton>
    </form>
  );
}

interface AddGroupProps {
  folderId: string;
  /** Those that have no access yet. */
  groups: readonly { id: string; name: string }[];
  isForAll: boolean;
}

function AddGroup({ folderId, groups, isForAll }: AddGroupProps) {
  const { t } = useTranslation();
  const showError = useShowError();
  const { save } = useSetAccess(folderId);
  const isOffered = (useStartup()?.publicProjectsEnabled ?? true) && !isForAll;
  const all = !isOffered ? [] : [{ value: EVERYONE, label: t('com_project_access_everyone') }];
  const options = [...groups.map(({ id, name }) => ({ value: id, label: name })), ...all];
  if (options.length === 0) return null;
  return (
    <SelectField
      label={t('com_project_access_group')}
      placeholder={t('com_project_access_choose')}
      value={null}
      options={options}
      onChange={(chosen) => {
        const to = chosen === EVERYONE ? { to: 'everyone' as const } : { to: 'group' as const, groupId: chosen };
        void save(to, 'use').catch(showError);
      }}
    />
  );
}

function toOf(access: Access): SetAccess['to'] {
  if (access.to === 'everyone') return { to: 'everyone' };
  return access.to === 'group' ? { to: 'group', groupId: access.groupId } : { to: 'user', userId: access.userId };
}

function keyOf(access: Access): string {
  return access.to === 'everyone' ? EVERYONE : access.to === 'group' ? access.groupId : access.userId;
}
