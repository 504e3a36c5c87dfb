// Which messages stand in which column.
import type { Column } from '@parley/schema/chat/columns';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { pathTo } from '@parley/schema/messages/tree';
import { endpointTypeOf } from '../catalog/choose-model.ts';
import type { ModelTarget } from '../catalog/model-target.ts';
import type { Chat } from '../chat/use-chat.ts';

export interface ColumnPath {
  /** Its place among the columns of the conversation. */
  place: number;
  column: Column;
  /** Below what all of them have in common. */
  path: readonly ThreadNode[];
  reply: ThreadNode;
}

export interface ColumnPaths {
  shared: readonly ThreadNode[];
  columns: readonly ColumnPath[];
}

/** A column whose reply is gone is left out. */
export function columnPaths(listed: readonly Column[] | undefined, tree: Chat['tree']): ColumnPaths {
  const whole = (listed ?? []).flatMap((column, place) => {
    const reply = tree.byId.get(column.replyId);
    return reply ? [{ place, column, reply, path: pathTo(tree, reply.messageId) }] : [];
  });
  const [first, ...others] = whole.map(({ path }) => path);
  const length = first?.findIndex((node, at) => others.some((path) => path[at]?.messageId !== node.messageId)) ?? 0;
  const common = length < 0 ? (first?.length ?? 0) : length;
  return {
    shared: first?.slice(0, common) ?? [],
    columns: whole.map((column) => ({ ...column, path: column.path.slice(common) })),
  };
}

/** Whom a column asks. */
export function columnTarget({ column: { endpoint, model, settings } }: Pick<ColumnPath, 'column'>): ModelTarget {
  return { endpoint, endpointType: endpointTypeOf(endpoint, undefined), model, settings };
}

/** Whether all of them answer one question: only then can another model join them. */
export function haveOneQuestion({ columns }: ColumnPaths): boolean {
  return new Set(columns.map(({ reply }) => reply.parentMessageId)).size === 1;
}
