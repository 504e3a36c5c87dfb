// What programs import, by name or by the address of a public CDN, and which module of the shelf that is.
import { partOfPackage, SHELF, UI_COMPONENTS, type PartName, type ShelfModule } from './libraries.ts';

/** A library as an address names it. */
export interface NamedLibrary {
  name: string;
  /** As the address has it; an empty string where it says none. */
  version: string;
  /** The path within the package. */
  path: string;
}

/** Where letters come from: without them a page has those of the system. */
export const FONT_HOSTS = [
  'fonts.googleapis.com',
  'fonts.gstatic.com',
  'fonts.bunny.net',
  'rsms.me',
  'use.typekit.net',
];

/** By host, how the path of an address names a library. */
const HOSTS: Readonly<Record<string, (path: string) => NamedLibrary>> = {
  'cdn.tailwindcss.com': (path) => ({ name: 'tailwindcss', version: path.slice(1) || '3', path: '' }),
  'cdn.jsdelivr.net': (path) =>
    path.startsWith('/npm/') ? packagePath(path.slice(5)) : packagePath(path.replace(/^\/gh\/[^/]*\//, '')),
  'fastly.jsdelivr.net': (path) => packagePath(path.replace(/^\/npm\//, '')),
  'unpkg.com': (path) => packagePath(path.slice(1)),
  'esm.sh': (path) => packagePath(path.replace(/^\/(?:v\d+\/|stable\/)?\*?/, '')),
  'esm.run': (path) => packagePath(path.slice(1)),
  'cdn.skypack.dev': (path) => packagePath(path.replace(/^\/(?:pin\/)?/, '')),
  'ga.jspm.io': (path) => packagePath(path.replace(/^\/npm:/, '')),
  'jspm.dev': (path) => packagePath(path.replace(/^\/(?:npm:)?/, '')),
  'cdnjs.cloudflare.com': hostedPath,
  'ajax.googleapis.com': hostedPath,
  'cdn.plot.ly': namedFile,
  'd3js.org': namedFile,
  'code.jquery.com': namedFile,
  'threejs.org': (path) => ({ name: 'three', version: '', path: path.slice(1) }),
  'maxcdn.bootstrapcdn.com': (path) => packagePath(path.slice(1)),
  'stackpath.bootstrapcdn.com': (path) => packagePath(path.slice(1)),
  'netdna.bootstrapcdn.com': (path) => packagePath(path.slice(1)),
  'kit.fontawesome.com': () => ({ name: 'font-awesome', version: '', path: '' }),
  'use.fontawesome.com': () => ({ name: 'font-awesome', version: '', path: '' }),
  'cdn.sheetjs.com': () => ({ name: 'xlsx', version: '', path: '' }),
};

export function isAddress(specifier: string): boolean {
  return /^(?:https?:)?\/\//i.test(specifier);
}

/** The library that an address of a CDN names; null for any other address. */
export function readLibraryAddress(address: string): NamedLibrary | null {
  const host = hostOf(address);
  if (!Object.hasOwn(HOSTS, host)) return null;
  const { pathname } = new URL(address, 'https://x');
  const named = HOSTS[host]?.(decoded(pathname));
  return named && named.name !== '' ? named : null;
}

/** The module of the shelf that a program means; null where there is none. */
export function shelfModule(specifier: string): ShelfModule | null {
  const named = isAddress(specifier) ? readLibraryAddress(specifier) : packagePath(specifier);
  const part = named ? partOf(named) : undefined;
  if (!named || part === undefined) return null;
  const module = moduleOf(part, named);
  return module === null ? null : { part, module };
}

function partOf({ name, path }: NamedLibrary): PartName | undefined {
  if (name === '@') return /^(?:components\/ui\/|lib\/utils)/.test(path) ? 'ui' : undefined;
  return partOfPackage(name);
}

/** How a specifier is named to people: its package, or the whole of what is in no package. */
export function nameOfSpecifier(specifier: string): string {
  if (isAddress(specifier)) return readLibraryAddress(specifier)?.name ?? specifier;
  return /^(?:[./]|@\/)/.test(specifier) ? specifier : packagePath(specifier).name;
}

/** The version that an address asks for where it differs from that of the shelf in what breaks programs; else null. */
export function otherVersion(address: string): { title: string; asked: string; here: string } | null {
  const named = isAddress(address) ? readLibraryAddress(address) : null;
  const part = named ? partOfPackage(named.name) : undefined;
  if (!named || part === undefined) return null;
  const { title, version } = SHELF[part];
  const asked = /\d+/.exec(named.version)?.[0];
  // D3's small packages count on their own.
  if (asked === undefined || version === '' || named.name.startsWith('d3-')) return null;
  const here = version.split('.', 1)[0] ?? '';
  return asked === here ? null : { title, asked, here };
}

function moduleOf(part: PartName, { name, path }: NamedLibrary): string | null {
  switch (part) {
    case 'react':
      if (name === 'react') return /^jsx-(?:dev-)?runtime/.test(path) ? 'react/jsx-runtime' : 'react';
      return path.startsWith('client') ? 'react-dom/client' : 'react-dom';
    case 'three': {
      const addon = /^(?:addons|examples\/jsm?)\/(.+)/.exec(path)?.[1];
      return addon === undefined ? 'three' : `three/addons/${addon.replace(/(?<!\.js)$/, '.js')}`;
    }
    case 'ui':
      return uiModule(name, path);
    case 'chart':
      return 'chart.js';
    case 'd3':
    case 'tailwind':
    case 'sucrase':
      return part;
    default:
      return SHELF[part].packages[0] ?? null;
  }
}

function uiModule(name: string, path: string): string | null {
  if (name !== '@') return name;
  if (/^lib\/utils(?:\.[jt]s)?$/.test(path)) return '@/lib/utils';
  const component = /^components\/ui\/([a-z-]+)(?:\.[jt]sx)?$/.exec(path)?.[1];
  return UI_COMPONENTS.some((one) => one === component) ? `@/components/ui/${component}` : null;
}

function hostOf(address: string): string {
  if (!isAddress(address) || !URL.canParse(address, 'https://x')) return '';
  return new URL(address, 'https://x').hostname.replace(/^www\./, '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `@scope/name@1.2/dist/file.js` */
function packagePath(path: string): NamedLibrary {
  const [, name = '', version = '', rest = ''] =
    /^(@[^/@]+\/[^/@]+|[^/@]+|@(?=\/))(?:@([^/]*))?(?:\/(.*))?$/.exec(path) ?? [];
  return { name, version, path: rest };
}

/** `/ajax/libs/name/1.2/file.js` */
function hostedPath(path: string): NamedLibrary {
  const [, , , name = '', version = '', ...rest] = path.split('/');
  // three's releases are counted by the second number of its version.
  return { name: name.toLowerCase(), version: version.replace(/^r(?=\d)/, '0.'), path: rest.join('/') };
}

/** `/jquery-3.6.0.min.js`, `/d3.v7.min.js` */
function namedFile(path: string): NamedLibrary {
  const file = path.split('/').at(-1) ?? '';
  const [, name = '', version = ''] = /^([a-z]\w*(?:-[a-z]\w*)*)[.-]?v?([\d.]*)/i.exec(file) ?? [];
  return { name: name.toLowerCase(), version: version.replace(/\.$/, ''), path: '' };
}
