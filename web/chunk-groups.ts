// Which modules share a chunk: a page loads few files, and none much that it does not need.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Graph {
  getModuleInfo(id: string): { importers: readonly string[] } | null;
}

type Test = (id: string) => boolean;

const SOURCES = join(import.meta.dirname, 'src');

export const isChat: Test = (id) => id.endsWith('/src/app/signed-in.tsx');
export const isThread: Test = (id) => id.endsWith('/src/chat/thread/thread.tsx');
export const isMarkdown: Test = (id) => id.endsWith('/src/content/markdown.tsx');
const isSignIn: Test = (id) => id.endsWith('/src/auth/account-screens.tsx');
const isSharedScreen: Test = (id) => id.endsWith('/src/shares/shared-screen.tsx');
const isList: Test = (id) => /\/src\/(app\/sidebar\/loaded-convo-list|app\/dialogs\/dialog-host)\.tsx$/.test(id);

/** Parts of the first screen that load once it is usable. */
const isLater = isOneOf(importedBy(/\bdeferred\(\s*async \(\) => \(await import\('([^']+)'\)/g));
/** Menus and dialogs that load while the browser is idle. */
const isAhead = isOneOf(importedBy(/\blazyScreen\(\s*async \(\) => \(await import\('([^']+)'\)\)\.\w+,\s*'ahead'/g));

/** The first that captures a module has it, with everything the module imports. */
export const chunkGroups = [
  { name: 'trpc', test: isSharedWithSocket, tags: ['$initial' as const], priority: 11 },
  { name: 'socket', test: isSocketClient, priority: 10 },
  // What every page needs.
  { name: 'app', tags: ['$initial' as const], priority: 9 },
  partOf(
    'frame',
    (id, graph) => isSharedByComponents(id) || (isPartOf(isChat, id, graph) && isPartOf(isSignIn, id, graph)),
    8,
  ),
  partOf('chat', (id, graph) => isPartOf(isChat, id, graph), 7),
  // What sign-in shares with dialogs.
  { ...partOf('forms', (id, graph) => isField(id) || isPartOf(isSignIn, id, graph), 6), minShareCount: 2 },
  // What a shared conversation, or a thread and the parts around it, have in common.
  partOf('shown', isShown, 5),
  partOf('list', (id, graph) => isPartOf(isList, id, graph), 4),
  partOf('thread', (id, graph) => isPartOf(isThread, id, graph), 3),
  partOf('later', (id, graph) => isPartOf(isLater, id, graph), 2),
  partOf('ahead', (id, graph) => isPartOf(isAhead, id, graph), 1),
];

function partOf(name: string, test: (id: string, graph: Graph) => boolean, priority: number) {
  return { debugName: name, name: (id: string, graph: Graph) => (test(id, graph) ? name : null), priority };
}

function isShown(id: string, graph: Graph): boolean {
  return isPartOf(isSharedScreen, id, graph) || (isPartOf(isThread, id, graph) && isPartOf(isLater, id, graph));
}

/**
 * Whether a module's static importers include one of the given modules. Packages are skipped: an index that exports
 * everything seems to import everything.
 */
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

/** The modules that the sources import in this way; the pattern captures the specifier. */
function importedBy(pattern: RegExp): Set<string> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const imported = files.flatMap((file) => {
    const path = join(SOURCES, file);
    return [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name = '']) => join(dirname(path), name));
  });
  if (imported.length === 0) throw new Error(`No module is imported like ${pattern}`);
  return new Set(imported);
}

function isOneOf(ids: ReadonlySet<string>): Test {
  return (id) => ids.has(id);
}

/** Mantine modules that the chat and sign-in share. */
function isSharedByComponents(id: string): boolean {
  return /\/(get-size|create-vars-resolver|use-media-query|use-reduced-motion)\.mjs$/.test(id);
}

/** Mantine's fields, in sign-in and in dialogs. */
function isField(id: string): boolean {
  return /\/@mantine\/core\/esm\/components\/(Input|TextInput|PasswordInput|CloseButton|Transition)\//.test(id);
}

/** The package's client of websockets, which subscriptions load. A group of its own: the index imports it as well. */
function isSocketClient(id: string): boolean {
  return /\/@trpc\/client\/dist\/wsLink-[^/]*$/.test(id);
}

/** What it has in common with the links the page begins with; the page would load it whole to have this. */
function isSharedWithSocket(id: string): boolean {
  return /\/@trpc\/(client|server)\/dist\/(?!index\.|wsLink)/.test(id);
}
