import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { trpc } from '../trpc.ts';
import { describeError } from '../errors/describe-error.ts';
import { TwoClickButton } from '../ui/two-click-button.tsx';
import { useSlot } from '../slots/slot.ts';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { Button } from '../ui/button.tsx';
import { ShareRow } from './share-row.tsx';
import classes from './shares.module.css';
import { useShowError } from '../ui/toast/use-show-error.ts';
import { Problem } from '../ui/primitives/problem.tsx';

/** All links of the user. */
export function ShareList() {
  const { t } = useTranslation();
  const showError = useShowError();
  const titleId = useId();
  // Links change in other tabs and on other devices, and the change feed does not tell of them.
  const { data: shares, error } = trpc.shares.list.useQuery(
    {},
    { refetchOnMount: 'always', refetchOnWindowFocus: 'always', staleTime: 0 },
  );
  const { list } = trpc.useUtils().shares;
  const revokeAll = trpc.shares.revokeAll.useMutation({
    onError: showError,
    onSettled: () => list.invalidate(),
  });
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <div className={classes.heading}>
        <h2 id={titleId}>{t('com_share_links')}</h2>
        {shares && shares.length > 1 && (
          <TwoClickButton
            label={t('com_share_end_all')}
            confirm={t('com_share_end_all_confirm')}
            run={() => revokeAll.mutateAsync()}
          />
        )}
      </div>
      <Problem>{error && describeError(error, t)}</Problem>
      {shares?.length === 0 && <NoShares />}
      <ul className={classes.list}>
        {shares?.map((share) => (
          <ShareRow key={share.id} share={share} isTitled />
        ))}
      </ul>
    </section>
  );
}

function NoShares() {
  const { t } = useTranslation();
  const show = useShowDialog();
  const { conversationId, isNewChat } = useSlot();
  return (
    <div className={classes.none}>
      <p className={classes.hint}>{t('com_share_none')}</p>
      {isNewChat ? (
        <p className={classes.hint}>{t('com_share_none_hint')}</p>
      ) : (
        <Button size="sm" onClick={() => show({ name: 'share', conversationId })}>
          {t('com_share_open_chat')}
        </Button>
      )}
    </div>
  );
}
