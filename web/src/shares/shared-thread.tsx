import type { SharedMessage, SharedPage } from '@parley/schema/convos/shares';
import { buildTree, latestLeaf, pathTo, listSiblings } from '@parley/schema/messages/tree';
import { useAtomValue, useAtom } from 'jotai';
import { useMemo, useState, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { formatDateTime } from '../lib/format-date.ts';
import { session } from '../session/current-session.ts';
import { trpc } from '../trpc.ts';
import { Brand } from '../ui/brand/brand.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { rememberShare } from './continue-share.ts';
import { notifyMissingFiles } from './notify-missing-files.ts';
import { sharedImages } from './shared-files.ts';
import { SharedMessageView } from './shared-message.tsx';
import { SharedLightbox } from './shared-lightbox.tsx';
import classes from './shared-screen.module.css';
import type { ArtifactMessage } from '@parley/schema/artifacts/versions';
import { ArtifactScopeContext, openArtifactAtom, type ArtifactScope } from '../content/artifacts/artifact-place.ts';
import { artifactPane } from '../content/artifacts/lazy-artifacts.ts';
import { useStartup } from '../startup.ts';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { useShowError } from '../ui/toast/use-show-error.ts';

/** The messages of a shared conversation, and the way to go on with a copy. */
export function SharedThread({ id, page: { thread, name, updatedAt } }: { id: string; page: SharedPage }) {
  const { t, i18n } = useTranslation();
  const tree = useMemo(() => buildTree(thread.messages), [thread]);
  const [leafId, setLeafId] = useState(() => latestLeaf(tree)?.messageId ?? '');
  const path = useMemo(() => pathTo(tree, leafId), [tree, leafId]);

  const answers = useMemo(() => path.filter((message) => !message.isCreatedByUser), [path]);
  const readImages = () => sharedImages(id, path);

  function showSibling(message: SharedMessage, step: number): void {
    const siblings = listSiblings(tree, message);
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
        <SharedArtifacts shareId={id} answers={answers}>
          {path.map((message) => {
            const siblings = listSiblings(tree, message);
            return (
              <SharedMessageView
                key={message.messageId}
                shareId={id}
                readImages={readImages}
                message={message}
                name={name}
                siblingIndex={siblings.indexOf(message)}
                siblingCount={siblings.length}
                onShowSibling={(step) => showSibling(message, step)}
              />
            );
          })}
        </SharedArtifacts>
        <p className={classes.end}>{t('com_share_notice')}</p>
      </main>
      <SharedLightbox />
    </div>
  );
}

/** Goes on with a copy in the own account; a visitor signs in before. */
function Continue({ id }: { id: string }) {
  const { t } = useTranslation();
  const showError = useShowError();
  const { status } = useAtomValue(session.state);
  const [, navigate] = useLocation();
  const copy = trpc.shares.copy.useMutation({
    onSuccess: (copied) => {
      notifyMissingFiles(copied);
      navigate(`/c/${copied.conversationId}`);
    },
    onError: showError,
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

interface SharedArtifactsProps {
  /** Of the link. */
  shareId: string;
  /** Of the branch on screen. */
  answers: readonly ArtifactMessage[];
  children: ReactNode;
}

const isForeign = () => true;

/** Opens what the answers of a shared conversation have made over its page. It is somebody else's, so it waits for Run. */
function SharedArtifacts({ shareId, answers, children }: SharedArtifactsProps) {
  const newest = useRef(answers);
  useLayoutEffect(() => void (newest.current = answers));
  const isOff = useStartup()?.artifacts === 'off';
  const [open, setOpen] = useAtom(openArtifactAtom);
  useEffect(() => () => setOpen(null), [setOpen]);
  const scope = useMemo((): ArtifactScope => {
    const answersBefore = (messageId: string) => {
      const at = newest.current.findIndex((answer) => answer.messageId === messageId);
      return { answers: newest.current.slice(0, Math.max(at, 0)), isWhole: at >= 0 };
    };
    return { scopeId: shareId, answersBefore };
  }, [shareId]);
  return (
    <ArtifactScopeContext value={isOff ? null : scope}>
      {children}
      {open?.scopeId === shareId && (
        <LazyBoundary onFailure={() => setOpen(null)}>
          <artifactPane.Screen open={open} answers={answers} isWhole isForeign={isForeign} isAlone />
        </LazyBoundary>
      )}
    </ArtifactScopeContext>
  );
}
