// The versions of an artifact on a branch: the n-th block of its name is version n, so every branch has its own.
import type { ToolCall } from '../messages/messages.ts';
import { blockOfCall } from './artifact-call.ts';
import { findArtifacts, type Artifact } from './find-artifacts.ts';

/** What a message of any kind has. */
export interface ArtifactMessage {
  messageId: string;
  parts: readonly { type: string; text?: string; call?: ToolCall }[];
}

export interface ArtifactVersion extends Artifact {
  messageId: string;
  /** From 1. */
  version: number;
}

const found = new WeakMap<ArtifactMessage['parts'], Artifact[]>();

/** The artifacts of a message; messages never change, so each is read once. */
export function artifactsOfMessage({ parts }: Pick<ArtifactMessage, 'parts'>): Artifact[] {
  const known = found.get(parts);
  if (known) return known;
  const artifacts = findArtifacts(
    parts.flatMap(({ type, text, call }) => (type === 'text' ? (text ?? []) : ((call && blockOfCall(call)) ?? []))),
  );
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
