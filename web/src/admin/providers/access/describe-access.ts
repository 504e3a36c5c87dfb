import type { AccessRule } from '@parley/schema/accounts/access-rules';
import type { GroupRow } from '@parley/schema/accounts/group-rules';
import type { TFunction } from 'i18next';
import { trpc } from '../../../trpc.ts';

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
