import { trpc } from '../../trpc.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';

/**
 * Switches tools of a server on or off, in every chat of the person. Shown at once in both lists: two quick changes must
 * not undo each other.
 */
export function useSetServerTools(id: string): (names: string[], isOn: boolean) => void {
  const showError = useShowError();
  const { mcp, tools } = trpc.useUtils();
  const { mutate } = trpc.mcp.setTools.useMutation({
    onError(error) {
      showError(error);
      void mcp.list.invalidate();
    },
    // The list that is closed now must not show the old state first.
    onSettled: () => tools.list.invalidate(undefined, { refetchType: 'all' }),
  });
  return (names, isOn) => {
    const choose = <Part extends { name: string }>(part: Part) =>
      names.includes(part.name) ? { ...part, isOn } : part;
    // What was asked for before the change must not arrive after it.
    void mcp.list.cancel();
    mcp.list.setData(undefined, (before) =>
      before?.map((server) => (server.id === id ? { ...server, tools: server.tools.map(choose) } : server)),
    );
    tools.list.setData(undefined, (before) =>
      before?.map((tool) =>
        tool.key === `mcp:${id}` && tool.tools ? { ...tool, tools: tool.tools.map(choose) } : tool,
      ),
    );
    mutate({ id, tools: names, isOn });
  };
}
