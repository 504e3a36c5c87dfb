import '@mantine/core/styles/Checkbox.css';
import { Checkbox } from '@mantine/core';
import type { AccessRule } from '@parley/schema/accounts/access-rules';
import type { GroupRow } from '@parley/schema/accounts/group-rules';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import adminClasses from '../../admin.module.css';
import { GROUPS_PATH } from '../../groups/group-paths.ts';
import classes from './access.module.css';
import { useRefreshOffer } from '../use-providers.ts';
import { AdminForm, useAdminForm } from '../../admin-form.tsx';
import { FailureAlert } from '../../../auth/failure-alert.tsx';
import { endpointLabel } from '../../../catalog/choose-model.ts';
import { describeError } from '../../../errors/describe-error.ts';
import { trpc } from '../../../trpc.ts';
import { Button } from '../../../ui/button.tsx';
import choiceClasses from '../../../ui/fields/choices.module.css';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { SkeletonRows } from '../../../ui/skeleton/skeleton-rows.tsx';

interface AccessDialogProps {
  endpoint: string;
  onClose: () => void;
}

/** Who may use the models of a provider: everybody, or groups; and single models that are for other groups. */
export function AccessDialog({ endpoint, onClose }: AccessDialogProps) {
  const { t } = useTranslation();
  const options = { refetchOnMount: 'always', gcTime: 0 } as const;
  const groups = trpc.admin.groups.list.useQuery(undefined, { refetchOnMount: 'always' });
  const rules = trpc.admin.access.list.useQuery(undefined, options);
  const error = groups.error ?? rules.error;
  const isRead = groups.data && rules.data && !rules.isFetching;
  return (
    <Modal title={t('com_access_title', { 0: endpointLabel(endpoint) })} onClose={onClose}>
      <FailureAlert sentence={error && describeError(error, t)} />
      {!isRead && !error && <SkeletonRows count={3} />}
      {isRead && groups.data.length === 0 && (
        <p className={adminClasses.hint}>
          {t('com_access_no_groups')} <Link href={GROUPS_PATH}>{t('com_groups_new')}</Link>
        </p>
      )}
      {isRead && groups.data.length > 0 && (
        <AccessForm
          endpoint={endpoint}
          groups={groups.data}
          rule={rules.data.find((rule) => rule.endpoint === endpoint) ?? null}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface AccessFormProps extends AccessDialogProps {
  groups: readonly GroupRow[];
  /** As it was read; null where everybody may use everything. */
  rule: AccessRule | null;
}

function AccessForm({ endpoint, groups, rule, onClose }: AccessFormProps) {
  const { t } = useTranslation();
  const { client, admin } = trpc.useUtils();
  const refresh = useRefreshOffer();
  const form = useAdminForm<Omit<AccessRule, 'endpoint' | 'version'>>({
    initial: { groupIds: rule?.groupIds ?? null, models: rule?.models ?? [] },
    save: (values) => client.admin.access.set.mutate({ ...values, endpoint, version: rule?.version ?? null }),
    changed: { invalidate: () => Promise.all([admin.access.invalidate(), admin.groups.invalidate(), refresh()]) },
    isInPlace: true,
    onSaved: onClose,
  });
  const { value: groupIds, onChange: setGroupIds } = form.picked('groupIds');
  const { value: models, onChange: setModels } = form.picked('models');
  return (
    <AdminForm form={form} verb={t('com_ui_save')} onCancel={onClose}>
      <SelectField
        label={t('com_access_models_of', { 0: endpointLabel(endpoint) })}
        description={t('com_access_admins')}
        value={groupIds === null ? 'everybody' : 'groups'}
        options={[
          { value: 'everybody', label: t('com_access_everybody') },
          { value: 'groups', label: t('com_access_groups') },
        ]}
        onChange={(picked) => setGroupIds(picked === 'everybody' ? null : [])}
      />
      {groupIds && (
        <>
          <GroupTicks legend={t('com_groups')} groups={groups} ids={groupIds} onChange={setGroupIds} />
          {groupIds.length === 0 && <p className={adminClasses.hint}>{t('com_access_nobody')}</p>}
        </>
      )}
      <RuledModels endpoint={endpoint} groups={groups} models={models} onChange={setModels} />
    </AdminForm>
  );
}

type Ruled = AccessRule['models'];

interface RuledModelsProps {
  endpoint: string;
  groups: readonly GroupRow[];
  models: Ruled;
  onChange: (models: Ruled) => void;
}

/** Single models that follow groups of their own. */
function RuledModels({ endpoint, groups, models, onChange }: RuledModelsProps) {
  const { t } = useTranslation();
  const { data } = trpc.endpoints.models.useQuery(undefined, { staleTime: Infinity });
  const others = (data?.[endpoint] ?? []).filter((model) => !models.some((one) => one.model === model));
  return (
    <>
      {models.map(({ model, groupIds }) => (
        <div key={model} className={classes.ruled}>
          <GroupTicks
            legend={t('com_access_only', { 0: model })}
            groups={groups}
            ids={groupIds}
            onChange={(ids) => onChange(models.map((one) => (one.model === model ? { model, groupIds: ids } : one)))}
          />
          <Button
            size="sm"
            aria-label={t('com_access_remove', { 0: model })}
            onClick={() => onChange(models.filter((one) => one.model !== model))}
          >
            {t('com_admin_providers_remove')}
          </Button>
        </div>
      ))}
      {others.length > 0 && (
        <SelectField
          label={t('com_access_add')}
          description={t('com_access_add_hint')}
          value={null}
          placeholder={t('com_access_pick')}
          options={others.map((model) => ({ value: model, label: model }))}
          onChange={(model) => onChange([...models, { model, groupIds: [] }])}
        />
      )}
    </>
  );
}

interface GroupTicksProps {
  /** What is for the groups. */
  legend: ReactNode;
  groups: readonly GroupRow[];
  ids: readonly string[];
  onChange: (ids: string[]) => void;
}

/** The groups that may use something, to tick. */
function GroupTicks({ legend, groups, ids, onChange }: GroupTicksProps) {
  return (
    <fieldset className={`${choiceClasses.choices} ${classes.groups}`}>
      <legend>{legend}</legend>
      {groups.map(({ id, name }) => (
        <Checkbox
          key={id}
          className={classes.group}
          label={<bdi>{name}</bdi>}
          checked={ids.includes(id)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? [...ids, id] : ids.filter((other) => other !== id))
          }
        />
      ))}
    </fieldset>
  );
}

/** By the names of endpoints: who may use their models, in a sentence; absent where everybody may. */
export function useAccessSentences(t: TFunction): ReadonlyMap<string, string> {
  const { data: groups = [] } = trpc.admin.groups.list.useQuery();
  const { data: rules = [] } = trpc.admin.access.list.useQuery(undefined, { refetchOnMount: 'always' });
  return new Map(rules.map((rule) => [rule.endpoint, describeAccess(rule, groups, t)]));
}

function describeAccess({ groupIds, models }: AccessRule, groups: readonly GroupRow[], t: TFunction): string {
  const some = models.length > 0 ? [t('com_access_some')] : [];
  if (groupIds === null) return some.join(' ');
  const names = groups.flatMap(({ id, name }) => (groupIds.includes(id) ? [`\u2068${name}\u2069`] : []));
  const all = names.length > 0 ? t('com_access_only_groups', { 0: names.join(', ') }) : t('com_access_only_admins');
  return [all, ...some].join(' ');
}
