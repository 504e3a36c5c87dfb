// What the frame that runs programs of answers asks the shelf (`public/artifact/frame.js`): which parts a program needs,
// where they are, and how its imports reach them. It is loaded with the frame, the parts only when they are needed. Once the
// program runs, which may change all that this uses, nobody asks it any more: what is needed later, it has written into tables.
import { FONT_HOSTS, nameOfSpecifier, shelfModule } from '@parley/schema/artifacts/shelf/addresses';
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

/** An address that a program loads a part by, or what such addresses begin with. */
interface Served {
  begins: string;
  path: string;
}

const shelf = {
  fontHosts: FONT_HOSTS,
  readPage,

  /** What script tags that the program makes may load, the longest first. */
  addressesIn(code: string): Served[] {
    const written = new Set(code.match(/(?:\bhttps?:)?\/\/[^\s"'`<>\\(){}$]{1,300}/g));
    const served = [...written].flatMap((begins) => {
      const found = shelfModule(begins);
      return found ? [{ begins, path: SHELF_PLACES[found.part] }] : [];
    });
    return served.toSorted((one, other) => other.begins.length - one.begins.length);
  },

  /**
   * Loads what a page needs, once it stands in its document; then its scripts may run. Returns what tells the page
   * afterwards that it is loaded.
   */
  async servePage(plan: PagePlan, load: Load): Promise<() => void> {
    standIn();
    const standsIn = beginLoading();
    const usesTailwind = plan.parts.includes('tailwind');
    if (usesTailwind) openTailwind(plan.isOldTailwind ? 'version 3' : 'page');
    await take(plan.parts, load);
    if (usesTailwind) await tailwindBuilt();
    for (const script of plan.scripts) writeAsScript(script);
    if (plan.imports.size > 0) addImportMap(plan.imports);
    return standsIn();
  },

  /**
   * Loads what an app needs, and turns it into a program; returns the modules that it asks for, what they are called where
   * they are not there, and how it is drawn.
   */
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
    const modules = table(names, (name) => findModule(shelfModule(name)?.module));
    return { program, show, modules, names: table(names, nameOfSpecifier) };
  },
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

/** It has nothing but its entries, whatever becomes of other objects. */
function table<T>(names: readonly string[], read: (name: string) => T): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), Object.fromEntries(names.map((name) => [name, read(name)])));
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
