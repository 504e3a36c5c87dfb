import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { showToast } from '../../ui/toast/toast.tsx';
import { grantLabel } from './arrange-tools.ts';
import classes from './tools-menu.module.css';

/** The tools that are called without asking, each with a button that ends it. Nothing while there are none. */
export function AllowedTools() {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const { data: grants = [] } = trpc.tools.grants.useQuery(undefined, { staleTime: 0 });
  const { mutate, isPending } = trpc.tools.revoke.useMutation({
    onError: (error) => showToast({ message: describeError(error, t), severity: 'error' }),
    onSettled: () => utils.tools.grants.invalidate(),
  });
  if (grants.length === 0) return null;
  return (
    <section className={classes.allowed} aria-label={t('com_tools_grants')}>
      <h3 className={classes.source}>{t('com_tools_grants')}</h3>
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
    </section>
  );
}
