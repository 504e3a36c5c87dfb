// Tests of this room: tests/unit/web/artifacts, tests/e2e/content/artifacts.test.ts.
import { findLibraries } from '@parley/schema/artifacts/shelf/find-libraries';
import { findVersion, listVersions } from '@parley/schema/artifacts/versions';
import type { Artifact } from '@parley/schema/artifacts/find-artifacts';
import { useAtomValue } from 'jotai';
import { use, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ArtifactAnswerContext, ArtifactScopeContext, openArtifactAtom } from '../content/artifacts/artifact-place.ts';
import { useShowArtifact } from '../content/artifacts/use-show-artifact.ts';
import { countLines } from '../content/code/count-lines.ts';
import { Button } from '../ui/button.tsx';
import classes from './artifact-card.module.css';
import { KINDS } from './kinds.ts';

interface ArtifactCardProps extends Pick<Artifact, 'kind' | 'title' | 'language' | 'source' | 'isEdited'> {
  isWriting: boolean;
}

/** An artifact in its answer: what it is, and the way to open it. */
export function ArtifactCard({ isWriting, ...artifact }: ArtifactCardProps) {
  const { kind, title, source, isEdited } = artifact;
  const { t } = useTranslation();
  const show = useShowArtifact();
  const { messageId } = use(ArtifactAnswerContext);
  const open = useAtomValue(openArtifactAtom);
  const version = useVersion(source);
  const { label, Icon } = KINDS[kind];
  const isOpen = open?.messageId === messageId && source.startsWith(open.source);
  const facts = [
    t(label),
    version !== null && t('com_artifact_version', { 0: version }),
    t('com_artifact_lines', { count: countLines(source) }),
    isWriting && t('com_artifact_writing'),
    isEdited && t('com_artifact_edited'),
  ];
  const name = title ?? t(label);
  const { missing, others } = useMemo(() => findLibraries(kind, isWriting ? '' : source), [kind, source, isWriting]);
  const notes = [
    missing.length > 0 && t('com_artifact_missing', { 0: missing.join(', ') }),
    ...others.map((one) => t('com_artifact_other_version', { 0: one.title, 1: one.asked, 2: one.here })),
  ].filter(Boolean);
  return (
    <div className={classes.card} data-open={isOpen || undefined} data-artifact>
      <span className={classes.icon}>
        <Icon aria-hidden />
      </span>
      <div className={classes.text}>
        <b dir="auto">{name}</b>
        <span>{facts.filter(Boolean).join(' · ')}</span>
        {notes.length > 0 && <span dir="auto">{notes.join(' · ')}</span>}
      </div>
      <Button
        size="sm"
        aria-label={t('com_artifact_open_named', { 0: name })}
        aria-pressed={isOpen}
        onClick={() => show?.(artifact)}
      >
        {t('com_artifact_open')}
      </Button>
    </div>
  );
}

/** Which version of its branch it is; null while that is not known. */
function useVersion(source: string): number | null {
  const scope = use(ArtifactScopeContext);
  const { messageId, parts } = use(ArtifactAnswerContext);
  return useMemo(() => {
    const before = scope?.answersBefore(messageId);
    if (!before?.isWhole || parts === null) return null;
    const versions = listVersions([...before.answers, { messageId, parts }]);
    return findVersion(versions, { messageId, source })?.version ?? null;
  }, [scope, messageId, parts, source]);
}
