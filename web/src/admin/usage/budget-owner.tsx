import type { BudgetScope } from '@parley/schema/reasons';
import { useTranslation } from 'react-i18next';
import { trpc } from '../../trpc.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import classes from '../people/people.module.css';

const SCOPES: readonly BudgetScope[] = ['each', 'person', 'group', 'all'];

/** Whose budget it is. */
export interface Owner {
  scope: BudgetScope;
  email: string;
  /** Null for none yet. */
  groupId: string | null;
}

interface BudgetOwnerProps {
  values: Owner;
  /** A budget that is there stays whose it is. */
  isFixed: boolean;
  /** Whether to say what is missing. */
  isTried: boolean;
  onChange: (changed: Partial<Owner>) => void;
}

export function BudgetOwner({ values: { scope, email, groupId }, isFixed, isTried, onChange }: BudgetOwnerProps) {
  const { t } = useTranslation();
  return (
    <>
      <SelectField
        label={t('com_admin_budgets_whose')}
        description={t(`com_admin_budgets_scope_${scope}_hint`)}
        value={scope}
        options={SCOPES.map((value) => ({ value, label: t(`com_admin_budgets_scope_${value}`) }))}
        onChange={(picked) => onChange({ scope: picked })}
        disabled={isFixed}
      />
      {scope === 'person' && (
        <TextField
          type="email"
          label={t('com_auth_email')}
          value={email}
          onChange={({ currentTarget }) => onChange({ email: currentTarget.value })}
          disabled={isFixed}
          error={isTried && email.trim() === '' && t('com_admin_budgets_no_person')}
          autoComplete="off"
          dir="ltr"
        />
      )}
      {scope === 'group' && (
        <GroupField
          groupId={groupId}
          isFixed={isFixed}
          isMissing={isTried && groupId === null}
          onChange={(picked) => onChange({ groupId: picked })}
        />
      )}
    </>
  );
}

interface GroupFieldProps {
  groupId: string | null;
  isFixed: boolean;
  isMissing: boolean;
  onChange: (groupId: string) => void;
}

function GroupField({ groupId, isFixed, isMissing, onChange }: GroupFieldProps) {
  const { t } = useTranslation();
  const { data: groups = [] } = trpc.admin.groups.list.useQuery();
  return (
    <>
      <SelectField
        label={t('com_admin_budgets_group')}
        value={groupId}
        placeholder={t('com_admin_budgets_pick_group')}
        options={groups.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={onChange}
        disabled={isFixed}
      />
      {isMissing && (
        <p className={classes.hint} role="alert">
          {t('com_admin_budgets_pick_group')}
        </p>
      )}
    </>
  );
}

/** Null while nobody is named. */
export function budgetTarget({ scope, email, groupId }: Owner) {
  switch (scope) {
    case 'person':
      return email.trim() === '' ? null : { scope, email: email.trim() };
    case 'group':
      return groupId === null ? null : { scope, groupId };
    default:
      return { scope };
  }
}
