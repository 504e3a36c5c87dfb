// The shelf: the libraries that programs of answers can use. They are built into this server, because such a program
// reaches no network. The table is read by the build, by the frame that runs programs, by the page and by the tool that
// tells models of it.
import { typedKeys } from '../../entries.ts';

interface Library {
  /** As people call it. */
  title: string;
  /** What it is compared with and called by: the major version, or more of it below 1.0. */
  version: string;
  /** The names under which programs import it: of npm, and of cdnjs where that is another one. */
  packages: readonly string[];
  /** Parts that are loaded before it. */
  needs: readonly string[];
  /** How it is imported, where its title does not say so. */
  hint?: string;
}

/** The packages that the one file of D3 consists of. */
const D3_PACKAGES =
  `array axis brush chord color contour delaunay dispatch drag dsv ease fetch force format geo hierarchy
  interpolate path polygon quadtree random scale scale-chromatic selection shape time time-format timer transition zoom`
    .split(/\s+/)
    .map((name) => `d3-${name}`);

/** By the name of its part, the file that is loaded. */
const LIBRARIES = {
  react: { title: 'React', version: '19', packages: ['react', 'react-dom'], needs: [] },
  tailwind: {
    title: 'Tailwind CSS',
    version: '4',
    packages: ['tailwindcss', '@tailwindcss/browser'],
    needs: [],
  },
  ui: {
    title: 'shadcn/ui',
    version: '',
    packages: ['class-variance-authority', 'clsx', 'tailwind-merge'],
    needs: ['react', 'tailwind'],
    hint: '@/components/ui/…',
  },
  recharts: { title: 'recharts', version: '3', packages: ['recharts'], needs: ['react'] },
  'lucide-react': { title: 'lucide-react', version: '0.577', packages: ['lucide-react'], needs: ['react'] },
  lucide: { title: 'lucide', version: '0.577', packages: ['lucide'], needs: [] },
  chart: { title: 'Chart.js', version: '4', packages: ['chart.js'], needs: [] },
  d3: { title: 'D3', version: '7', packages: ['d3', ...D3_PACKAGES], needs: [] },
  three: {
    title: 'three.js',
    version: '0.187',
    packages: ['three', 'three.js'],
    needs: [],
    hint: 'three/addons/…',
  },
  p5: { title: 'p5.js', version: '1', packages: ['p5', 'p5.js'], needs: [] },
  papaparse: { title: 'Papa Parse', version: '5', packages: ['papaparse'], needs: [] },
  mermaid: { title: 'Mermaid', version: '11', packages: ['mermaid'], needs: [] },
  sucrase: {
    title: 'Babel',
    version: '',
    packages: ['@babel/standalone', 'babel-standalone'],
    needs: [],
    hint: 'text/babel scripts',
  },
} as const satisfies Record<string, Library>;

export type PartName = keyof typeof LIBRARIES;

export const SHELF: Readonly<Record<PartName, Library>> = LIBRARIES;
export const PART_NAMES = typedKeys(LIBRARIES);

/** What there is below `@/components/ui/`. */
export const UI_COMPONENTS = [
  'accordion',
  'alert',
  'alert-dialog',
  'aspect-ratio',
  'avatar',
  'badge',
  'breadcrumb',
  'button',
  'card',
  'checkbox',
  'collapsible',
  'dialog',
  'drawer',
  'dropdown-menu',
  'hover-card',
  'input',
  'label',
  'pagination',
  'popover',
  'progress',
  'radio-group',
  'scroll-area',
  'select',
  'separator',
  'sheet',
  'skeleton',
  'slider',
  'switch',
  'table',
  'tabs',
  'textarea',
  'toggle',
  'toggle-group',
  'tooltip',
] as const;

/** All titles, for sentences to people. */
export const SHELF_TITLES: string = PART_NAMES.map((name) => SHELF[name].title).join(', ');

/** What a model is told of it. */
export const SHELF_FOR_MODELS: string = `Pages, pictures and apps run sealed, without a network. They can use these libraries, imported by name or by their usual CDN address: ${PART_NAMES.map(describe).join(', ')}.
Nothing else can be loaded: no other library, and no picture, font or data by an address. localStorage lasts until the artifact is closed.`;

function describe(name: PartName): string {
  const { title, version, hint } = SHELF[name];
  return [title, version, hint && `(${hint})`].filter(Boolean).join(' ');
}

/** A module that programs can import, and the part that has it. */
export interface ShelfModule {
  part: PartName;
  module: string;
}

/** The part that has a package; undefined where none has. */
export function partOfPackage(name: string): PartName | undefined {
  const wanted = name.toLowerCase();
  return PART_NAMES.find((part) => SHELF[part].packages.includes(wanted));
}

/** The parts in the order in which they are loaded, with all that these need. */
export function withNeeds(parts: Iterable<PartName>): PartName[] {
  const wanted = new Set<string>();
  for (const part of parts) for (const name of [...SHELF[part].needs, part]) wanted.add(name);
  // A part stands behind what it needs in the table as well.
  return PART_NAMES.filter((name) => wanted.has(name));
}
