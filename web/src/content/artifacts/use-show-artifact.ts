import { useSetAtom } from 'jotai';
import { use } from 'react';
import { ArtifactAnswerContext, ArtifactScopeContext, openArtifactAtom, type OpenArtifact } from './artifact-place.ts';

type Shown = Pick<OpenArtifact, 'kind' | 'title' | 'language' | 'source'>;

/** Opens a block of code beside its answer; null where there is no room for it. */
export function useShowArtifact(): ((shown: Shown) => void) | null {
  const scope = use(ArtifactScopeContext);
  const { messageId } = use(ArtifactAnswerContext);
  const open = useSetAtom(openArtifactAtom);
  if (!scope) return null;
  return ({ kind, title, language, source }) =>
    open({ kind, title, language, source, scopeId: scope.scopeId, messageId, opener: document.activeElement });
}
