// Where a block of code stands that can be opened beside its answer, and which one is open.
import type { Artifact } from '@parley/schema/artifacts/find-artifacts';
import type { ArtifactMessage } from '@parley/schema/artifacts/versions';
import { createContext } from 'react';
import { personalAtom } from '../../lib/personal-data.ts';

/** What shows answers and has room beside them: a conversation, or a copy of one. */
export interface ArtifactScope {
  scopeId: string;
  /** The answers of the branch before this one that are loaded; and whether these are all. */
  answersBefore: (messageId: string) => { answers: readonly ArtifactMessage[]; isWhole: boolean };
}

/** Null where nothing is opened: code is code there. */
export const ArtifactScopeContext = createContext<ArtifactScope | null>(null);
/** The answer around a block of code; without its parts while it is being written. */
export interface ArtifactAnswer {
  messageId: string;
  parts: ArtifactMessage['parts'] | null;
}

export const ArtifactAnswerContext = createContext<ArtifactAnswer>({ messageId: '', parts: null });

export interface OpenArtifact extends Pick<Artifact, 'kind' | 'title' | 'language' | 'source'> {
  scopeId: string;
  messageId: string;
  /** The element that had the focus. */
  opener: Element | null;
}

export const openArtifactAtom = personalAtom<OpenArtifact | null>(() => null);
