import type { SharedMessage, SharedPage } from '@parley/schema/convos/shares';
import { buildTree, latestLeaf, pathTo, siblingsOf } from '@parley/schema/messages/tree';
import { useAtomValue } from 'jotai';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'wouter';
import { preloadMarkdown } from '../content/lazy-markdown.tsx';
import { describeError } from '../errors/describe-error.ts';
import { reasonOf } from '../errors/reason-of.ts';
import { formatDateTime } from '../lib/format-date.ts';
import { session } from '../session/current-session.ts';
import { trpc } from '../trpc.ts';
import { BlankScreen } from '../ui/blank-screen.tsx';
import { Brand } from '../ui/brand/brand.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import { useDocumentTitle } from '../ui/hooks/use-document-title.ts';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { rememberShare } from './continue-share.ts';
import { notifyMissingFiles } from './notify-missing-files.ts';
import { picturesOfShared } from './shared-files.ts';
import { SharedMessageView } from './shared-message.tsx';
import { SharedLightbox } from './shared-lightbox.tsx';
import classes from './shared-screen.module.css';

/** /share/…: a conversation that somebody shared, for everybody who has the link. */
export function SharedScreen() {
  const { t } = useTranslation();
  const { id = '' } = useParams<{ id: string }>();
  // Whether the visitor is signed in may decide whether they may read.
  const enabled = useAtomValue(session.state).status !== 'checking';
  const { data: page, error, refetch } = trpc.shares.read.useQuery({ id }, { staleTime: Infinity, enabled });
  useDocumentTitle(page?.thread.title ?? t('com_share_page'));
  const canDraw = useRenderer();
  useNoIndex();
  if (page && canDraw) return <Page id={id} page={page} />;
  if (!error) return <SkeletonRows count={6} />;
  if (reasonOf(error)?.type === 'unauthorized') return <ForSignedIn id={id} />;
  const isGone = reasonOf(error)?.type === 'not_found';
  return (
    <BlankScreen
      title={isGone ? t('com_share_gone') : describeError(error, t)}
      {...(isGone && { hint: t('com_share_gone_hint') })}
    >
      {isGone ? (
        <Link className={buttonClasses({ size: 'lg' })} href="/">
          {t('com_share_home')}
        </Link>
      ) : (
        <Button onClick={() => void refetch()}>{t('com_ui_retry')}</Button>
      )}
    </BlankScreen>
  );
}

/** Whether Markdown can be drawn, or never will be: it loads with the conversation, whose source is nothing to look at. */
function useRenderer(): boolean {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const draw = () => setLoaded(true);
    // Without it the source is better than nothing.
    void preloadMarkdown().then(draw, draw);
  }, []);
  return isLoaded;
}

/** Where visitors must sign in before they read. */
function ForSignedIn({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <BlankScreen title={t('com_share_page')} hint={t('com_share_sign_in')}>
      <Link
        className={buttonClasses({ variant: 'filled', size: 'lg' })}
        href="/login"
        onClick={() => rememberShare('read', id)}
      >
        {t('com_share_log_in')}
      </Link>
    </BlankScreen>
  );
}

function Page({ id, page: { thread, name, updatedAt } }: { id: string; page: SharedPage }) {
  const { t, i18n } = useTranslation();
  const tree = useMemo(() => buildTree(thread.messages), [thread]);
  const [leafId, setLeafId] = useState(() => latestLeaf(tree)?.messageId ?? '');
  const path = useMemo(() => pathTo(tree, leafId), [tree, leafId]);

  const readPictures = () => picturesOfShared(id, path);

  function showSibling(message: SharedMessage, step: number): void {
    const siblings = siblingsOf(tree, message);
    const next = siblings[siblings.indexOf(message) + step];
    if (next) setLeafId(latestLeaf(tree, next.messageId)?.messageId ?? next.messageId);
  }

  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Link className={classes.brand} href="/">
          <Brand isOneLine />
        </Link>
        <Continue id={id} />
      </header>
      <main className={classes.main}>
        <h1 className={classes.title} dir="auto">
          {thread.title ?? t('com_ui_new_chat')}
        </h1>
        <p className={classes.facts}>
          {[name && t('com_share_by', { 0: name }), formatDateTime(updatedAt, i18n.language), thread.model]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {path.map((message) => {
          const siblings = siblingsOf(tree, message);
          return (
            <SharedMessageView
              key={message.messageId}
              shareId={id}
              readPictures={readPictures}
              message={message}
              name={name}
              siblingIndex={siblings.indexOf(message)}
              siblingCount={siblings.length}
              onShowSibling={(step) => showSibling(message, step)}
            />
          );
        })}
        <p className={classes.end}>{t('com_share_notice')}</p>
      </main>
      <SharedLightbox />
    </div>
  );
}

/** Goes on with a copy in the own account; a visitor signs in before. */
function Continue({ id }: { id: string }) {
  const { t } = useTranslation();
  const { status } = useAtomValue(session.state);
  const [, navigate] = useLocation();
  const copy = trpc.shares.copy.useMutation({
    onSuccess: (copied) => {
      notifyMissingFiles(copied);
      navigate(`/c/${copied.conversationId}`);
    },
    onError: (error) => showToast({ message: describeError(error, t), severity: 'error' }),
  });

  function begin(): void {
    if (status === 'in') return copy.mutate({ id });
    rememberShare('continue', id);
    navigate('/login');
  }

  return (
    <BusyButton variant="filled" isBusy={copy.isPending || status === 'checking'} onClick={begin}>
      {t('com_share_continue')}
    </BusyButton>
  );
}

/** Beside the header of the response, for tools that read the page alone. */
function useNoIndex(): void {
  useEffect(() => {
    const meta = document.createElement('meta');
    meta.name = 'robots';
    meta.content = 'noindex';
    document.head.append(meta);
    return () => meta.remove();
  }, []);
}
