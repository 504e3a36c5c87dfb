import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import type { ToolRow } from './arrange-tools.ts';
import { ToolSwitches } from './tool-switches.tsx';

/** The tools of a server, each with a switch: what is off is not used in any chat of this person. */
export function ServerParts({ server }: { server: ToolRow }) {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const { key, label, parts = [] } = server;
  const { mutate } = trpc.mcp.setTool.useMutation({
    onError: (error) => showToast({ message: describeError(error, t), severity: 'error' }),
    onSettled: () => {
      void utils.tools.list.invalidate();
      void utils.mcp.list.invalidate();
    },
  });
  const rows = parts.map(({ name, isOn }) => ({ key: name, label: name, description: '', unavailable: null, isOn }));

  /** Shown at once: two quick switches must not undo each other. */
  function turn(name: string): void {
    const isOn = !parts.find((part) => part.name === name)?.isOn;
    utils.tools.list.setData(undefined, (before) =>
      before?.map((tool) =>
        tool.key === key && tool.tools
          ? { ...tool, tools: tool.tools.map((part) => (part.name === name ? { name, isOn } : part)) }
          : tool,
      ),
    );
    mutate({ id: key.replace(/^mcp:/, ''), tool: name, isOn });
  }

  return <ToolSwitches groups={[{ section: 'mcp', rows }]} label={label} isPlain onToggle={turn} />;
}
