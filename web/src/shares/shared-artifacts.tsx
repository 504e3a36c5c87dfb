import type { ArtifactMessage } from '@parley/schema/artifacts/versions';
import { useAtom } from 'jotai';
import { useEffect, useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import { ArtifactScopeContext, openArtifactAtom, type ArtifactScope } from '../content/artifacts/artifact-place.ts';
import { artifactPane } from '../content/artifacts/lazy-artifacts.ts';
import { useStartup } from '../startup.ts';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';

interface SharedArtifactsProps {
  /** Of the link. */
  shareId: string;
  /** Of the branch on screen. */
  answers: readonly ArtifactMessage[];
  children: ReactNode;
}

const isForeign = () => true;

/** Opens what the answers of a shared conversation have made over its page. It is somebody else's, so it waits for Run. */
export function SharedArtifacts({ shareId, answers, children }: SharedArtifactsProps) {
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
