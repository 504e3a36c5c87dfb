// What the frame that runs programs of answers asks the shelf (`public/artifact/frame.js`): which parts a program needs,
// where they are, and how its imports reach them. It is loaded with the frame, the parts only when they are needed.
import { isFontAddress, nameOfSpecifier, shelfModule } from '@parley/schema/artifacts/shelf/addresses';
import { withNeeds, type PartName } from '@parley/schema/artifacts/shelf/libraries';
import { beginLoading } from './loading.ts';
import { moduleAddress, type Modules } from './module-address.ts';
import { readPage, type PagePlan } from './read-page.ts';
import { standIn } from './stand-ins.ts';
import { looksLikeTailwind, openTailwind, tailwindBuilt } from './tailwind.ts';

/** Set by the build: the paths of the parts. */
declare const SHELF_PLACES: Readonly<Record<PartName, string>>;

interface Parts {
  modules?: Modules;
  /** Turns the source of an app into a program that asks for its modules. */
  transform?: (code: string) => { code: string };
  transformScript?: (code: string) => string;
  /** Draws a component at a place. */
  show?: (component: unknown, place: Element, onError: (error: unknown) => void) => void;
}

declare global {
  interface Window {
    artifactParts?: Parts;
    artifactShelf?: typeof shelf;
  }
}

/** Loads the script at a path of ours. */
type Load = (path: string) => Promise<unknown>;

const taken = new Map<PartName, Promise<unknown>>();

const shelf = {
  /** The paths of all parts. */
  paths: Object.values(SHELF_PLACES),
  isFontAddress,
  readPage,

  /** The path of what a script tag that a program makes should load; null for what is not on the shelf. */
  pathOf(address: string): string | null {
    const found = shelfModule(address);
    return found && SHELF_PLACES[found.part];
  },

  /**
   * Loads what a page needs, once it stands in its document; then its scripts may run. Returns what tells the page
   * afterwards that it is loaded.
   */
  async servePage(plan: PagePlan, load: Load): Promise<() => Promise<void>> {
    standIn();
    const tellLoaded = beginLoading();
    const usesTailwind = plan.parts.includes('tailwind');
    if (usesTailwind) openTailwind(plan.isOldTailwind ? 'version 3' : 'page');
    await take(plan.parts, load);
    if (usesTailwind) await tailwindBuilt();
    for (const script of plan.scripts) writeAsScript(script);
    if (plan.imports.size > 0) addImportMap(plan.imports);
    return tellLoaded;
  },

  /** Loads what an app needs, and turns it into a program; returns how that finds its modules and is drawn. */
  async serveApp(source: string, load: Load) {
    standIn();
    await take(['sucrase', 'react'], load);
    const { transform, show } = window.artifactParts ?? {};
    const program = transform?.(source).code ?? '';
    const names = [...program.matchAll(/\brequire\(["']([^"']+)["']\)/g)].flatMap(([, name]) => name ?? []);
    const parts = new Set(names.flatMap((name) => shelfModule(name)?.part ?? []));
    if (looksLikeTailwind(source)) parts.add('tailwind');
    const usesTailwind = withNeeds(parts).includes('tailwind');
    if (usesTailwind) openTailwind('app');
    await take(parts, load);
    if (usesTailwind) await tailwindBuilt();
    return { program, show, find: (name: string) => findModule(shelfModule(name)?.module) };
  },

  nameOf: nameOfSpecifier,
};

async function take(parts: Iterable<PartName>, load: Load): Promise<void> {
  // They arrive at once and run in this order, because some find others when they run.
  const coming = withNeeds(parts).map((part) => {
    const one = taken.get(part) ?? load(SHELF_PLACES[part]);
    taken.set(part, one);
    return one;
  });
  await Promise.all(coming);
}

function findModule(name: string | undefined): unknown {
  const modules = window.artifactParts?.modules ?? {};
  return name !== undefined && Object.hasOwn(modules, name) ? modules[name] : undefined;
}

function addImportMap(imports: PagePlan['imports']): void {
  const modules = window.artifactParts?.modules ?? {};
  const addresses = [...imports].map(([specifier, module]) => [specifier, moduleAddress(module, modules)]);
  const script = document.createElement('script');
  script.type = 'importmap';
  script.text = JSON.stringify({ imports: Object.fromEntries(addresses) });
  document.head.append(script);
  script.remove();
}

/** JSX becomes JavaScript. */
function writeAsScript(script: HTMLScriptElement): void {
  const isModule = script.dataset.type === 'module';
  script.text = window.artifactParts?.transformScript?.(script.text) ?? '';
  if (isModule) script.type = 'module';
  else script.removeAttribute('type');
}

window.artifactShelf = shelf;
