import type { trpc } from '../../trpc.ts';

type Utils = ReturnType<typeof trpc.useUtils>;

/** Reads again what is offered: endpoints, models, tools, and what is known of them. */
export function invalidateOffer({ endpoints, presets, tools, plugins, mcp }: Utils): void {
  const { startup, list, models, windows, readiness } = endpoints;
  const ofTools = [startup, tools.list, plugins.list, mcp.list];
  for (const query of [list, models, windows, readiness, presets.specs, ...ofTools]) void query.invalidate();
}
