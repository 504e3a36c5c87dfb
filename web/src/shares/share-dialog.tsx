import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/InlineInput.css';
import { Checkbox } from '@mantine/core';
import { SHARE_DAYS } from '@parley/schema/convos/share-days';
import { buildTree } from '@parley/schema/messages/tree';
import { useAtomValue } from 'jotai';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { branchesAtom, shownPath } from '../chat/cache/branches.ts';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { describeError } from '../errors/describe-error.ts';
import { copyText } from '../lib/clipboard.ts';
import { trpc } from '../trpc.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { shareUrl } from './share-url.ts';
import { ShareRow, shareFacts, ShareActions } from './share-row.tsx';
import classes from './shares.module.css';
import { ButtonRow } from '../ui/primitives/button-row.tsx';
import { Problem } from '../ui/primitives/problem.tsx';
import type { Share } from '@parley/schema/convos/shares';
import { IconCheck, IconCopy, IconSend } from '@tabler/icons-react';
import { useCopied } from '../content/use-copied.ts';

/** A conversation's newest link to copy, and its older ones; makes the first, and another on demand. */
export function ShareDialog({ conversationId, onClose }: { conversationId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data: shares, isPending } = trpc.shares.list.useQuery({ conversationId }, { staleTime: 0 });
  const [isAdding, setAdding] = useState(false);
  const [newest, ...older] = shares ?? [];
  const hasForm = !isPending && (isAdding || !newest);
  return (
    <DialogFrame title={t('com_share_title')} size="lg" onClose={onClose}>
      {newest && !isAdding && <ShareLink key={newest.id} share={newest} />}
      {hasForm && (
        <ShareForm
          conversationId={conversationId}
          onCancel={isAdding ? () => setAdding(false) : onClose}
          onMade={() => setAdding(false)}
        />
      )}
      {newest && !isAdding && (
        <div className={classes.more}>
          <Button variant="subtle" onClick={() => setAdding(true)}>
            {t('com_share_another')}
          </Button>
        </div>
      )}
      {older.length > 0 && !isAdding && (
        <ul className={classes.list} aria-label={t('com_share_links')}>
          {older.map((share) => (
            <ShareRow key={share.id} share={share} />
          ))}
        </ul>
      )}
    </DialogFrame>
  );
}

interface ShareFormProps {
  conversationId: string;
  onCancel: () => void;
  onMade: () => void;
}

/** What a new link shows, and how long. */
function ShareForm({ conversationId, onCancel, onMade }: ShareFormProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const [showsName, setShowsName] = useState(false);
  const [days, setDays] = useState('');
  const create = useCreate(conversationId, onMade);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const chosen = SHARE_DAYS.find((one) => String(one) === days) ?? null;
    if (!create.isPending) create.mutate({ isWhole, showsName, days: chosen });
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <p className={classes.hint}>{t('com_share_hint')}</p>
      <SelectField
        label={t('com_share_what')}
        value={isWhole ? 'all' : 'branch'}
        onChange={(extent) => setWhole(extent === 'all')}
        options={[
          { value: 'branch', label: t('com_share_branch') },
          { value: 'all', label: t('com_share_all_branches') },
        ]}
      />
      <SelectField
        label={t('com_share_time')}
        value={days}
        onChange={setDays}
        options={[
          { value: '', label: t('com_share_never_ends') },
          ...SHARE_DAYS.map((count) => ({ value: String(count), label: t(`com_share_days_${count}`) })),
        ]}
      />
      <Checkbox
        label={t('com_share_show_name')}
        checked={showsName}
        onChange={(event) => setShowsName(event.currentTarget.checked)}
      />
      <Problem>{create.error && describeError(create.error, t)}</Problem>
      <ButtonRow end>
        <Button onClick={onCancel}>{t('com_ui_cancel')}</Button>
        <BusyButton type="submit" variant="filled" isBusy={create.isPending} data-autofocus>
          {t('com_share_create')}
        </BusyButton>
      </ButtonRow>
    </form>
  );
}

interface Choices {
  isWhole: boolean;
  showsName: boolean;
  days: (typeof SHARE_DAYS)[number] | null;
}

/** The branch is the one on screen, or would be. The new link is copied at once. */
function useCreate(conversationId: string, onMade: () => void) {
  const { t } = useTranslation();
  const { client, shares } = trpc.useUtils();
  const branches = useAtomValue(branchesAtom)[conversationId] ?? {};
  const create = trpc.shares.create.useMutation({
    onSuccess: async ({ id }) => {
      const isCopied = await copyText(shareUrl(id));
      showToast({ message: t(isCopied ? 'com_share_created_copied' : 'com_share_created'), severity: 'success' });
      await shares.list.invalidate();
      onMade();
    },
    onError: () => shares.list.invalidate(),
  });
  async function shownLeaf(): Promise<string | null> {
    const messages = await client.messages.list.query({ conversationId });
    const tree = buildTree(messages.map((message) => ({ ...message, size: 0, version: 0 })));
    return shownPath(tree, branches).at(-1)?.messageId ?? null;
  }
  return {
    ...create,
    mutate({ isWhole, ...choices }: Choices) {
      const leafId = isWhole ? Promise.resolve(null) : shownLeaf().catch(() => null);
      void leafId.then((leaf) => create.mutate({ conversationId, leafId: leaf, ...choices }));
    },
  };
}

/** A link that has been made, to copy or to send on. */
function ShareLink({ share }: { share: Share }) {
  const { t, i18n } = useTranslation();
  const { copied, copy } = useCopied();
  const url = shareUrl(share.id);
  return (
    <div className={classes.form}>
      <div className={classes.copy}>
        <input
          className={classes.field}
          value={url}
          readOnly
          dir="ltr"
          aria-label={t('com_share_link')}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button ref={takeLostFocus} variant="filled" data-autofocus onClick={() => copy(url)}>
          {copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
          <span aria-live="polite">{copied ? t('com_share_copied') : t('com_share_copy')}</span>
        </Button>
        {hasShareSheet() && (
          <Button onClick={() => send({ url, title: share.title ?? '' })}>
            <IconSend aria-hidden />
            {t('com_share_send')}
          </Button>
        )}
      </div>
      <div className={classes.state}>
        <span className="hint">{shareFacts(share, t, i18n.language)}</span>
        <div className={classes.actions}>
          <ShareActions share={share} />
        </div>
      </div>
    </div>
  );
}

/** Takes the place of the button that has made the link. */
function takeLostFocus(button: HTMLElement | null): void {
  if (document.activeElement === document.body) button?.focus();
}

/** Phones and tablets have one that people know; on a desktop a link is pasted. */
function hasShareSheet(): boolean {
  return 'share' in navigator && window.matchMedia('(pointer: coarse)').matches;
}

/** Who closes the sheet wants nothing sent. */
function send(data: ShareData): void {
  navigator.share(data).catch(() => undefined);
}
