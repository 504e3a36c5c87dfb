// Copies what visitors may see of a conversation. What is not named here is not shared.
import { writeBlock } from '@parley/schema/artifacts/add-version';
import { blockOfCall } from '@parley/schema/artifacts/artifact-call';
import type { Convo } from '@parley/schema/convos/convos';
import { sharedFilePath } from '@parley/schema/convos/shared-file-path';
import type { SharedSnapshot, SharedFile, SharedMessage, SharedPart } from '@parley/schema/convos/shares';
import { isImageType } from '@parley/schema/files/file-types';
import {
  messageAttachments,
  messageToolFiles,
  toolFiles,
  type Attachment,
  type Message,
  type MessagePart,
  type ToolState,
} from '@parley/schema/messages/messages';
import { buildTree, latestLeaf, pathTo } from '@parley/schema/messages/tree';
import type { FileRow } from '../files/present.ts';

/** What a copy is made of. */
export interface Sharing {
  shareId: string;
  userId: string;
  convo: Convo;
  messages: readonly Message[];
  /** Of `filesOf` the messages, those that are there and the user's own. */
  files: readonly FileRow[];
}

/** The ids of all files of messages, those that tools have made included. */
export function messageFileIds(messages: readonly Message[]): string[] {
  return messages.flatMap((one) => [...messageAttachments(one), ...messageToolFiles(one)].map(({ fileId }) => fileId));
}

/** `leaves` are the last messages of the branches that it shows; null takes all branches. */
export function sharedSnapshot(sharing: Sharing, leaves: readonly string[] | null): SharedSnapshot {
  const { title, endpoint, endpointType, model } = sharing.convo;
  const chosen = leaves === null ? sharing.messages : branchesTo(sharing.messages, leaves);
  const numbers = numberFiles(sharing, chosen);
  const messages = inTreeOrder(chosen, (part) => sharedParts(part, sharing, numbers));
  return { title, endpoint, endpointType, model, messages, files: [...numbers.keys()] };
}

function branchesTo(messages: readonly Message[], leaves: readonly string[]): readonly Message[] {
  const tree = buildTree(messages);
  return [...new Set(leaves.flatMap((id) => pathTo(tree, id)))];
}

/**
 * The last messages of what a link shows that showed the branches to `leaves`: of answers that still stand side by side
 * those that stand there now; of any other branch its newest message, and where that stands beside others, these too. So
 * an answer that was not chosen stays in a link that showed it. None when none of them is there.
 */
export function shownLeaves(
  { columns }: Pick<Convo, 'columns'>,
  messages: readonly Message[],
  leaves: readonly string[],
): string[] {
  const tree = buildTree(messages);
  const known = leaves.filter((id) => tree.byId.has(id));
  const beside = (columns ?? []).flatMap(({ replyId }) => (tree.byId.has(replyId) ? [replyId] : []));
  const pathsOf = (ids: readonly string[]) => ids.map((id) => pathTo(tree, id).map(({ messageId }) => messageId));
  const stand = pathsOf(beside);
  const isSame = known.length > 1 && beside.length > 1 && forkOf(pathsOf(known)) === forkOf(stand);
  if (isSame) return beside;
  const newest = known.map((id) => latestLeaf(tree, id)?.messageId ?? id);
  const isBeside = newest.some((id) => stand.some((path) => path.includes(id)));
  return [...new Set([...newest, ...(isBeside ? beside : [])])];
}

/** The last message that all of the branches have; undefined where they begin apart. */
function forkOf([first = [], ...others]: readonly string[][]): string | undefined {
  return first.findLast((id, depth) => others.every((path) => path[depth] === id));
}

/** A file that visitors may open, by its id. */
type Numbers = ReadonlyMap<string, NumberedFile>;
interface NumberedFile {
  n: number;
  row: FileRow;
}

/** Only files of the chosen messages get a number, and only what has one can be asked for. */
function numberFiles({ files }: Sharing, chosen: readonly Message[]): Numbers {
  const rows = new Map(files.filter(({ context }) => context !== 'avatar').map((row) => [row.id, row]));
  const numbers = new Map<string, NumberedFile>();
  for (const id of messageFileIds(chosen)) {
    const row = rows.get(id);
    if (row && !numbers.has(id)) numbers.set(id, { n: numbers.size + 1, row });
  }
  return numbers;
}

/** Parents stand before their children, since their numbers of creation are lower. */
function inTreeOrder(messages: readonly Message[], partsOf: (part: MessagePart) => SharedPart[]): SharedMessage[] {
  const sorted = messages.toSorted((a, b) => a.seq - b.seq);
  const numbers = new Map(sorted.map(({ messageId }, index) => [messageId, String(index + 1)]));
  return sorted.map((message, seq) => {
    const { messageId, parentMessageId, isCreatedByUser, sender, endpoint, endpointType, model, createdAt } = message;
    return {
      messageId: numbers.get(messageId) ?? '',
      parentMessageId: (parentMessageId === null ? null : numbers.get(parentMessageId)) ?? null,
      seq,
      isCreatedByUser,
      sender,
      endpoint,
      endpointType,
      model,
      parts: message.parts.flatMap(partsOf),
      createdAt,
    };
  });
}

/** Of calls that were never carried out. */
const UNUSED: ReadonlySet<ToolState | undefined> = new Set(['writing', 'waiting', 'denied']);

function sharedParts(part: MessagePart, sharing: Sharing, numbers: Numbers): SharedPart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: sharedText(part.text, sharing, numbers) }];
    case 'reasoning':
      return part.text === '' ? [] : [{ type: 'reasoning', text: sharedText(part.text, sharing, numbers) }];
    case 'tool_call': {
      const { call } = part;
      if (UNUSED.has(call.state)) return [];
      const block = blockOfCall(call);
      return [
        { type: 'tool', label: call.from?.label ?? call.name },
        // A block of code as any other, apart from what is said around it.
        ...(block
          ? [{ type: 'text' as const, text: `\n\n${sharedText(writeBlock(block), sharing, numbers)}\n\n` }]
          : []),
        ...toolFiles(call).flatMap((one) => sharedFile(one, numbers)),
      ];
    }
    case 'image':
    case 'file':
      return sharedFile(part, numbers);
    case 'error':
    case 'pending_picture':
      return [];
    default:
      return part satisfies never;
  }
}

function sharedFile({ fileId, name }: Attachment, numbers: Numbers): SharedPart[] {
  const found = numbers.get(fileId);
  if (found) return [{ type: 'file', name: name ?? found.row.name, file: factsOf(found) }];
  return name === undefined ? [] : [{ type: 'file', name }];
}

function factsOf({ n, row: { mime, bytes, width, height } }: NumberedFile): SharedFile {
  const isImage = isImageType(mime) && width !== null && height !== null;
  return { n, mime, bytes, ...(isImage && { width, height }) };
}

/**
 * The addresses of files in a text, such as those that the code interpreter's answers link to, name their owner. They
 * become those of the link; of a file that it does not show, nothing that leads anywhere is left.
 */
function sharedText(text: string, { shareId, userId }: Sharing, numbers: Numbers): string {
  const address = new RegExp(`/(?:images|api/files/download)/${userId}/([\\da-f-]{36})[^\\s()<>"'\\]]*`, 'g');
  const linked = text.replaceAll(address, (whole, fileId: string) => {
    const found = numbers.get(fileId);
    return found ? sharedFilePath(shareId, factsOf(found)) : whole;
  });
  return linked.replaceAll(userId, 'owner');
}
