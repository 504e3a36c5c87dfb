// What is on in a chat, for the chips of the message box.
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { Icon } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { trpc } from '../../trpc.ts';
import type { Chat } from '../use-chat.ts';
import { toolIcon } from './tool-icons.ts';
import { builtinLabel, originLabel } from './tool-labels.ts';
import { useToolChoice } from './use-tool-choice.ts';

/** A tool that is on, or a server of tools. */
export interface ActiveTool {
  /** The key by which the chat chooses it. */
  id: string;
  /** Null while it is not known: the chip has its place already, so that nothing moves when it comes. */
  label: string | null;
  icon: Icon;
  /** Of a server: how many of its tools answers may use. Null for a single tool, and while nobody knows. */
  count: number | null;
  switchOff: () => void;
}

/** The tools that are on in a chat, in the order in which they were switched on. Without a request where all are built in. */
export function useActiveTools(chat: Pick<Chat, 'modelTarget'>): ActiveTool[] {
  const { t } = useTranslation();
  const { chosen, select } = useToolChoice(chat);
  const isAsked = chosen.some((key) => builtinLabel(key, t) === undefined);
  const { data } = trpc.tools.list.useQuery(undefined, { enabled: isAsked });
  return activeTools(chosen, data, t).map((tool) => ({
    ...tool,
    switchOff: () => select(chosen.filter((key) => key !== tool.id)),
  }));
}

/** Undefined `offered`: not known yet. */
export function activeTools(
  chosen: readonly string[],
  offered: readonly ToolInfo[] | undefined,
  t: TFunction,
): Omit<ActiveTool, 'switchOff'>[] {
  return chosen.map((key) => {
    const tool = offered?.find((one) => one.key === key);
    const label = builtinLabel(key, t) ?? (tool ? originLabel(tool.from, t) || key : offered && t('com_tools_gone'));
    const count = tool?.tools?.filter(({ isOn }) => isOn).length ?? null;
    return { id: key, label: label ?? null, icon: toolIcon(key), count };
  });
}
