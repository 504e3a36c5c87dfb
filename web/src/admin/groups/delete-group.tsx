import type { GroupRow } from '@parley/schema/accounts/group-rules';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import { formatNumber } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { useGroupAction } from './use-group-action.ts';

/** Says what falls away with a group, and deletes it. */
export function DeleteGroup({ group, onClose }: { group: GroupRow; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const { client } = trpc.useUtils();
  const act = useGroupAction();
  const { id, version, name, members, budgets, endpoints } = group;
  const falling = [
    t('com_groups_delete_members', { 0: formatNumber(members, i18n.language) }),
    ...(budgets > 0 ? [t('com_groups_delete_budgets')] : []),
    ...(endpoints.length > 0 ? [t('com_groups_delete_models', { 0: endpoints.map(endpointLabel).join(', ') })] : []),
  ];
  return (
    <ConfirmDialog
      title={t('com_groups_delete_title', { 0: name })}
      text={falling.join(' ')}
      verb={t('com_ui_delete')}
      onCancel={onClose}
      onConfirm={() => {
        void act(() => client.admin.groups.remove.mutate({ id, version }));
        onClose();
      }}
    />
  );
}
