// Which of several siblings a person looks at: per conversation a map from a parent to the chosen child. A parent
// without a choice shows the child below which something was said last.
import { atom } from 'jotai';
import type { ThreadNode } from '@parley/schema/thread';
import { parentIn, pathTo, type Tree } from '@parley/schema/tree';
import { readStored, writeStored } from '../../lib/persist.ts';

/** Parent message id (or `root`) to the chosen child's message id. */
export type Branches = Readonly<Record<string, string>>;
type BranchesByConversation = Readonly<Record<string, Branches>>;

const KEY = 'branches';
/** Conversations whose choices are kept; the one changed longest ago goes first. */
const CONVERSATIONS = 100;
/** Forks remembered within one conversation, likewise. */
const FORKS = 200;

export const branchesAtom = atom<BranchesByConversation>(readStored(KEY, {}, parseBranches));

/** Adds choices to those of one conversation. */
export const chooseBranchesAtom = atom(null, (get, set, conversationId: string, choices: Branches) => {
  const next = withBranches(get(branchesAtom), conversationId, choices);
  set(branchesAtom, next);
  writeStored(KEY, next);
});

/** `all` with `choices` made in one conversation, which becomes the last changed; without what is over the limits. */
export function withBranches(
  all: BranchesByConversation,
  conversationId: string,
  choices: Branches,
): BranchesByConversation {
  const { [conversationId]: before = {}, ...others } = all;
  const keptForks = Object.entries(before).filter(([parent]) => !(parent in choices));
  const forks = [...keptForks, ...Object.entries(choices)].slice(-FORKS);
  const kept = Object.entries(others).slice(1 - CONVERSATIONS);
  return Object.fromEntries([...kept, [conversationId, Object.fromEntries(forks)]]);
}

/** The key of a parent in `Branches`. */
export function branchKey(parentMessageId: string | null): string {
  return parentMessageId ?? 'root';
}

/** The messages on screen, from the root to a leaf: at every fork the chosen child, else the one talked in last. */
export function shownPath(tree: Tree<ThreadNode>, branches: Branches): ThreadNode[] {
  const path: ThreadNode[] = [];
  for (let next = shownChild(tree, null, branches); next; next = shownChild(tree, next.messageId, branches)) {
    path.push(next);
  }
  return path;
}

/** The choices that put a message on screen; those below it are left as they are. */
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
  return children.find((child) => child.messageId === chosen) ?? liveliestOf(tree).get(parentId);
}

type Liveliest = ReadonlyMap<string | null, ThreadNode>;

const known = new WeakMap<Tree<ThreadNode>, Liveliest>();

/** For each parent the child that is or stands above the newest message below it; found once for a tree. */
function liveliestOf(tree: Tree<ThreadNode>): Liveliest {
  const found = known.get(tree) ?? findLiveliest(tree);
  known.set(tree, found);
  return found;
}

/** From the newest message up to where a newer one has passed: every parent is set once, however deep it stands. */
function findLiveliest({ byId }: Tree<ThreadNode>): Liveliest {
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
  return isRecord(stored) && Object.values(stored).every(isBranches) ? (stored as BranchesByConversation) : undefined;
}

function isBranches(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((child) => typeof child === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
