// Reads what a page needs of the shelf, and takes the tags out of it that would load the same from elsewhere.
import { isAddress, nameOfSpecifier, readLibraryAddress, shelfModule } from '@parley/schema/artifacts/shelf/addresses';
import { importsIn, readImportMap } from '@parley/schema/artifacts/shelf/find-libraries';
import type { PartName } from '@parley/schema/artifacts/shelf/libraries';

export interface PagePlan {
  parts: PartName[];
  /** What its scripts import, and the module of the shelf that it is; null where there is none. */
  imports: Map<string, string | null>;
  /** The names of libraries that are not on the shelf. */
  missing: string[];
  /** Scripts that are written in JSX or TypeScript. */
  scripts: HTMLScriptElement[];
  /** It is written for Tailwind 3 or older. */
  isOldTailwind: boolean;
}

const WRITTEN_FOR_BABEL = ['text/babel', 'text/jsx', 'text/typescript', 'text/tsx'];

/** @param page is parsed, but its scripts have not run */
export function readPage(page: Document): PagePlan {
  const plan: PagePlan = { parts: [], imports: new Map(), missing: [], scripts: [], isOldTailwind: false };
  const map = takeImportMaps(page);
  const want = (specifier: string) => {
    const found = shelfModule(specifier);
    if (found) plan.parts.push(found.part);
    else plan.missing.push(nameOfSpecifier(specifier));
    return found;
  };

  for (const link of page.querySelectorAll('link[href]')) {
    const address = link.getAttribute('href') ?? '';
    const isSheet = link.getAttribute('rel')?.toLowerCase() === 'stylesheet';
    if (isSheet && readLibraryAddress(address) !== null) wantAddress(address);
  }
  if (page.querySelector('style[type="text/tailwindcss"]')) plan.parts.push('tailwind');
  for (const script of page.querySelectorAll('script')) {
    const address = script.getAttribute('src');
    if (address !== null) {
      if (readLibraryAddress(address) === null) continue;
      wantAddress(address);
      script.remove();
      continue;
    }
    if (WRITTEN_FOR_BABEL.includes(script.type)) {
      plan.parts.push('sucrase');
      plan.scripts.push(script);
    }
    for (const specifier of importsIn(script.text)) wantImport(specifier);
  }
  return { ...plan, parts: [...new Set(plan.parts)], missing: [...new Set(plan.missing)] };

  function wantAddress(address: string): void {
    if (want(address)?.part === 'tailwind' && !/@tailwindcss\/browser|tailwindcss@4/.test(address))
      plan.isOldTailwind = true;
  }

  function wantImport(specifier: string): void {
    if (plan.imports.has(specifier) || /^\.{0,2}\//.test(specifier)) return;
    // A name of the shelf is what it says, wherever the page has it from.
    const meant = shelfModule(specifier) ? specifier : mapped(specifier, map);
    if (isAddress(meant) && readLibraryAddress(meant) === null) return;
    plan.imports.set(specifier, want(meant)?.module ?? null);
  }
}

/** Its import maps, which name addresses that are not reached. */
function takeImportMaps(page: Document): [name: string, address: string][] {
  const maps = [...page.querySelectorAll<HTMLScriptElement>('script[type="importmap"]')];
  return maps.flatMap((map) => {
    map.remove();
    return readImportMap(map.text);
  });
}

/** The address that a map gives a name, or a name in a folder of it. */
function mapped(specifier: string, map: readonly [name: string, address: string][]): string {
  const exact = map.find(([name]) => name === specifier);
  if (exact) return exact[1];
  const folder = map.find(([name]) => name.endsWith('/') && specifier.startsWith(name));
  return folder ? folder[1] + specifier.slice(folder[0].length) : specifier;
}
