// Which modules share a chunk: a page loads few files, and none much that it does not need.
interface Graph {
  getModuleInfo(id: string): { importers: readonly string[] } | null;
}

type Test = (id: string) => boolean;

/** What the chat and sign-in have of packages, and Mantine's fields, which sign-in and dialogs share. */
const SHARED = /\/(use-media-query|use-reduced-motion|createReactComponent|defaultAttributes)\.mjs$/;
const FIELDS = /\/@mantine\/core\/esm\/components\/(Input|TextInput|PasswordInput|CloseButton|Transition)\//;

export const isChat = isOneOf('app/signed-in.tsx');
export const isThread = isOneOf('chat/thread/thread.tsx');
export const isMarkdown = isOneOf('content/markdown.tsx');
const isSignIn = isOneOf('auth/account-screens.tsx');
const isSharedScreen = isOneOf('shares/shared-screen.tsx');
const isList = isOneOf('app/sidebar/loaded-convo-list.tsx', 'app/dialogs/dialog-host.tsx');
const isLater = isOneOf('app/lazy/later-parts.ts', 'chat/later-parts.ts', 'app/lazy/overlays.tsx');
const isAhead = isOneOf('app/lazy/menus.ts', 'app/dialogs/dialogs.ts', 'chat/panels.ts', 'endpoints/endpoint-menu.tsx');

/** The first that captures a module has it, with everything the module imports. */
export const chunkGroups = [
  // What the socket has in common with the links the page begins with; and the socket, which the index imports as well.
  {
    name: 'trpc',
    test: /\/@trpc\/(client|server)\/dist\/(?!index\.|wsLink)/,
    tags: ['$initial' as const],
    priority: 11,
  },
  { name: 'socket', test: /\/@trpc\/client\/dist\/wsLink-[^/]*$/, priority: 10 },
  // Sign-in has them before all other sentences, which come with them.
  { name: 'auth', test: /\/en-US\/auth\.json$/, priority: 12 },
  // What every page needs, then what the chat and sign-in share.
  { name: 'app', tags: ['$initial' as const], priority: 9 },
  partOf(8, 'frame', [isChat, isSignIn], SHARED),
  partOf(7, 'chat', [isChat]),
  { ...partOf(6, 'forms', [isSignIn], FIELDS), minShareCount: 2 },
  partOf(5, 'shown', [isSharedScreen]),
  partOf(4, 'list', [isList]),
  partOf(3, 'thread', [isThread]),
  partOf(2, 'later', [isLater]),
  partOf(1, 'ahead', [isAhead]),
];

function isOneOf(...files: string[]): Test {
  return (id) => files.some((file) => id.endsWith(`/web/src/${file}`));
}

/** What all of these modules import, directly or not, and these modules of packages. */
function partOf(priority: number, name: string, roots: Test[], packages?: RegExp) {
  const isIn = (id: string, graph: Graph) => packages?.test(id) || roots.every((isRoot) => isPartOf(isRoot, id, graph));
  return { debugName: name, name: (id: string, graph: Graph) => (isIn(id, graph) ? name : null), priority };
}

/** Packages are skipped: an index that exports everything seems to import everything. */
function isPartOf(isRoot: Test, id: string, graph: Graph): boolean {
  const seen = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isRoot(next)) return true;
    if (seen.has(next) || next.includes('/node_modules/')) continue;
    seen.add(next);
    open.push(...(graph.getModuleInfo(next)?.importers ?? []));
  }
  return false;
}
