// The branch on screen: per conversation a map from each parent to its chosen child. A parent without a choice shows
// the child with the newest message below it.
import { isTypedRecord } from '@parley/schema/json';
import { atom } from 'jotai';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { parentIn, pathTo, type Tree } from '@parley/schema/messages/tree';
import { personalAtom } from '../../lib/personal-data.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

/** Parent message id (or `root`) to the chosen child's message id. */
export type Branches = Readonly<Record<string, string>>;
type BranchesByConversation = Readonly<Record<string, Branches>>;

const KEY = 'branches';
/** Conversations kept; drops the least recently changed. */
const CONVERSATIONS_MAX = 100;
/** Forks kept per conversation, by the same rule. */
const FORKS_MAX = 200;

export const branchesAtom = personalAtom<BranchesByConversation>(() => readStored(KEY, {}, parseBranches));

/** Adds branch choices to a conversation. */
export const chooseBranchesAtom = atom(null, (get, set, conversationId: string, choices: Branches) => {
  const next = withBranches(get(branchesAtom), conversationId, choices);
  set(branchesAtom, next);
  writeStored(KEY, next);
});

/** Returns `all` with `choices` merged into one conversation, which becomes the most recent; applies the limits. */
export function withBranches(
  all: BranchesByConversation,
  conversationId: string,
  choices: Branches,
): BranchesByConversation {
  const { [conversationId]: before = {}, ...others } = all;
  const keptForks = Object.entries(before).filter(([parent]) => !(parent in choices));
  const forks = [...keptForks, ...Object.entries(choices)].slice(-FORKS_MAX);
  const remaining = Object.entries(others).slice(1 - CONVERSATIONS_MAX);
  return Object.fromEntries([...remaining, [conversationId, Object.fromEntries(forks)]]);
}

/** The key of a parent in `Branches`. */
export function branchKey(parentMessageId: string | null): string {
  return parentMessageId ?? 'root';
}

/**
 * The messages on screen, from the root to a leaf: at every fork the chosen child, else the one with the newest
 * message.
 */
export function shownPath(tree: Tree<ThreadNode>, branches: Branches): ThreadNode[] {
  const path: ThreadNode[] = [];
  for (let next = shownChild(tree, null, branches); next; next = shownChild(tree, next.messageId, branches)) {
    path.push(next);
  }
  return path;
}

/** The choices that bring a message on screen; keeps the choices below it. */
export function choicesTo(tree: Tree<ThreadNode>, messageId: string): Branches {
  const path = pathTo(tree, messageId);
  const forks = path.flatMap((node, index): [string, string][] => {
    const parentId = path[index - 1]?.messageId ?? null;
    const isFork = (tree.children.get(parentId)?.length ?? 0) > 1;
    return isFork ? [[branchKey(parentId), node.messageId]] : [];
  });
  return Object.fromEntries(forks);
}

function shownChild(tree: Tree<ThreadNode>, parentId: string | null, branches: Branches): ThreadNode | undefined {
  const children = tree.children.get(parentId) ?? [];
  if (children.length < 2) return children[0];
  const chosen = branches[branchKey(parentId)];
  return children.find((child) => child.messageId === chosen) ?? newestChildrenOf(tree).get(parentId);
}

type NewestChildren = ReadonlyMap<string | null, ThreadNode>;

const known = new WeakMap<Tree<ThreadNode>, NewestChildren>();

/** Maps each parent to the child that is, or is an ancestor of, its newest descendant; cached per tree. */
function newestChildrenOf(tree: Tree<ThreadNode>): NewestChildren {
  const found = known.get(tree) ?? findNewestChildren(tree);
  known.set(tree, found);
  return found;
}

/** Walks up from each message, newest first, until a parent is already set: visits every parent once, at any depth. */
function findNewestChildren({ byId }: Tree<ThreadNode>): NewestChildren {
  const found = new Map<string | null, ThreadNode>();
  for (const newest of [...byId.values()].sort((a, b) => b.seq - a.seq)) {
    let node: ThreadNode | undefined = newest;
    while (node) {
      const parent: ThreadNode | undefined = parentIn(byId, node);
      const key = parent?.messageId ?? null;
      if (found.has(key)) break;
      found.set(key, node);
      node = parent;
    }
  }
  return found;
}

function parseBranches(stored: unknown): BranchesByConversation | undefined {
  return isTypedRecord(stored, isBranches) ? stored : undefined;
}

function isBranches(value: unknown): value is Record<string, string> {
  return isTypedRecord(value, (child) => typeof child === 'string');
}
