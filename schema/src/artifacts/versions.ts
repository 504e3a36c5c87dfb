// The versions of an artifact on a branch: the n-th block of its name is version n, so every branch has its own.
import { findArtifacts, type Artifact } from './find-artifacts.ts';

/** What a message of any kind has. */
export interface ArtifactMessage {
  messageId: string;
  parts: readonly { type: string; text?: string }[];
}

export interface ArtifactVersion extends Artifact {
  messageId: string;
  /** From 1. */
  version: number;
}

const found = new WeakMap<ArtifactMessage['parts'], Artifact[]>();

/** The artifacts of a message; messages never change, so each is read once. */
export function artifactsOfMessage({ parts }: ArtifactMessage): Artifact[] {
  const known = found.get(parts);
  if (known) return known;
  const texts = parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []));
  const artifacts = findArtifacts(texts);
  found.set(parts, artifacts);
  return artifacts;
}

/** All artifacts of the answers of a branch, oldest first. */
export function listVersions(answers: readonly ArtifactMessage[]): ArtifactVersion[] {
  const counts = new Map<string, number>();
  return answers.flatMap((answer) =>
    artifactsOfMessage(answer).map((artifact) => {
      const version = (counts.get(artifact.id) ?? 0) + 1;
      counts.set(artifact.id, version);
      return { ...artifact, messageId: answer.messageId, version };
    }),
  );
}

/** The one that is drawn in a message with this source, which may have grown since. */
export function findVersion(
  versions: readonly ArtifactVersion[],
  { messageId, source }: Pick<ArtifactVersion, 'messageId' | 'source'>,
): ArtifactVersion | undefined {
  const here = versions.filter((one) => one.messageId === messageId);
  return here.find((one) => one.source === source) ?? here.find((one) => one.source.startsWith(source));
}
