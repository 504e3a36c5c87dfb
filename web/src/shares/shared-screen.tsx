import { useAtomValue } from 'jotai';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'wouter';
import { preloadMarkdown } from '../content/lazy-markdown.tsx';
import { describeError } from '../errors/describe-error.ts';
import { errorReason } from '../errors/error-reason.ts';
import { session } from '../session/current-session.ts';
import { trpc } from '../trpc.ts';
import { BlankScreen } from '../ui/blank-screen.tsx';
import { Button } from '../ui/button.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import { useDocumentTitle } from '../ui/hooks/use-document-title.ts';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { rememberShare } from './continue-share.ts';
import { SharedThread } from './shared-thread.tsx';

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
  if (page && canDraw) return <SharedThread id={id} page={page} />;
  if (!error) return <SkeletonRows count={6} />;
  if (errorReason(error)?.type === 'unauthorized') return <ForSignedIn id={id} />;
  const isGone = errorReason(error)?.type === 'not_found';
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
