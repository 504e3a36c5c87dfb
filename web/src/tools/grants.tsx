import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { grantLabel } from '../chat/tools/arrange-tools.ts';
import page from '../layout/page/page.module.css';
import { trpc } from '../trpc.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useShowError } from '../ui/toast/use-show-error.ts';
import classes from './tools.module.css';

/** The tools that are called without asking, each with a button that ends the permission. */
export function Grants() {
  const { t } = useTranslation();
  const showError = useShowError();
  const utils = trpc.useUtils();
  const { data: grants } = trpc.tools.grants.useQuery(undefined, { staleTime: 0 });
  const { mutate, isPending } = trpc.tools.revoke.useMutation({
    onError: showError,
    onSettled: () => utils.tools.grants.invalidate(),
  });
  if (!grants) return null;
  return (
    <section aria-label={t('com_tools_grants')}>
      <h2 className={classes.title}>{t('com_tools_grants')}</h2>
      <p className={page.note}>{t(grants.length === 0 ? 'com_tools_grants_none' : 'com_tools_grants_hint')}</p>
      <ul className={classes.list}>
        {grants.map(({ tool }) => (
          <li key={tool} className={classes.grant}>
            <bdi>{grantLabel(tool)}</bdi>
            <IconButton
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
