import type { ToolGrant } from '@parley/schema/tools/tools';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { trpc } from '../../trpc.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { grantLabel } from './arrange-tools.ts';
import classes from './tools-menu.module.css';
import { useShowError } from '../../ui/toast/use-show-error.ts';

/** The tools that are called without asking, in the menu. Nothing while there are none. */
export function AllowedTools() {
  const { t } = useTranslation();
  const grants = useGrants();
  if (!grants?.length) return null;
  return (
    <section className={classes.allowed} aria-label={t('com_tools_grants')}>
      <h3 className={classes.source}>{t('com_tools_grants')}</h3>
      <GrantList grants={grants} />
    </section>
  );
}

/** Undefined while they are read. */
export function useGrants(): readonly ToolGrant[] | undefined {
  return trpc.tools.grants.useQuery(undefined, { staleTime: 0 }).data;
}

/** Each tool with a button that ends the permission. */
export function GrantList({ grants }: { grants: readonly ToolGrant[] }) {
  const { t } = useTranslation();
  const showError = useShowError();
  const utils = trpc.useUtils();
  const { mutate, isPending } = trpc.tools.revoke.useMutation({
    onError: showError,
    onSettled: () => utils.tools.grants.invalidate(),
  });
  return (
    <ul className={classes.grants}>
      {grants.map(({ tool }) => (
        <li key={tool}>
          <bdi>{grantLabel(tool)}</bdi>
          <IconButton
            type="button"
            label={t('com_tools_revoke', { 0: grantLabel(tool) })}
            aria-disabled={isPending || undefined}
            onClick={() => !isPending && mutate({ tool })}
          >
            <IconX aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
