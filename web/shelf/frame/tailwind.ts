// Tailwind's build for browsers, and what pages written for version 3 and apps with shadcn's colors expect of it.
import { themeOfConfig } from './tailwind-config.ts';

/** Its build takes what it is told from such styles. */
const TYPE = 'text/tailwindcss';
/** Milliseconds until a page is shown without it. */
const PATIENCE_MS = 3_000;

/** What version 4 changed: https://tailwindcss.com/docs/upgrade-guide */
const VERSION_3 = `
@layer theme, base, components;
@import 'tailwindcss/theme' layer(theme);
@import 'tailwindcss/preflight' layer(base);
/* In no layer: they come before what a page says of all elements, as in version 3. */
@import 'tailwindcss/utilities';
@custom-variant dark (@media (prefers-color-scheme: dark));
@theme {
  --shadow-sm: 0 1px 2px 0 rgb(0 0 0 / 0.05);
  --shadow: 0 1px 3px 0 rgb(0 0 0 / 0.1), 0 1px 2px -1px rgb(0 0 0 / 0.1);
  --drop-shadow-sm: 0 1px 1px rgb(0 0 0 / 0.05);
  --blur-sm: 4px;
  --radius-sm: 0.125rem;
  --default-ring-width: 3px;
  --default-ring-color: var(--color-blue-500);
}
@layer base {
  *, ::after, ::before, ::backdrop, ::file-selector-button { border-color: var(--color-gray-200, currentColor); }
  button:not(:disabled), [role='button']:not(:disabled) { cursor: pointer; }
  input::placeholder, textarea::placeholder { color: var(--color-gray-400); }
}
@utility flex-shrink-* { flex-shrink: --value(integer); }
@utility flex-grow-* { flex-grow: --value(integer); }
@utility flex-grow { flex-grow: 1; }
@utility flex-shrink { flex-shrink: 1; }
@utility overflow-ellipsis { text-overflow: ellipsis; }
@utility outline-none { outline: 2px solid transparent; outline-offset: 2px; }
`;

/** The colors of shadcn's components, light and, below a class, dark. */
const APP = `
@custom-variant dark (&:is(.dark *));
@theme inline {
  --color-background: var(--background); --color-foreground: var(--foreground);
  --color-card: var(--card); --color-card-foreground: var(--card-foreground);
  --color-popover: var(--popover); --color-popover-foreground: var(--popover-foreground);
  --color-primary: var(--primary); --color-primary-foreground: var(--primary-foreground);
  --color-secondary: var(--secondary); --color-secondary-foreground: var(--secondary-foreground);
  --color-muted: var(--muted); --color-muted-foreground: var(--muted-foreground);
  --color-accent: var(--accent); --color-accent-foreground: var(--accent-foreground);
  --color-destructive: var(--destructive); --color-destructive-foreground: var(--destructive-foreground);
  --color-border: var(--border); --color-input: var(--input); --color-ring: var(--ring);
  --color-chart-1: var(--chart-1); --color-chart-2: var(--chart-2); --color-chart-3: var(--chart-3);
  --color-chart-4: var(--chart-4); --color-chart-5: var(--chart-5);
}
@layer base {
  :root {
    --background: #fff; --foreground: #0a0a0a; --card: #fff; --card-foreground: #0a0a0a; --popover: #fff;
    --popover-foreground: #0a0a0a; --primary: #171717; --primary-foreground: #fafafa; --secondary: #f5f5f5;
    --secondary-foreground: #171717; --muted: #f5f5f5; --muted-foreground: #737373; --accent: #f5f5f5;
    --accent-foreground: #171717; --destructive: #dc2626; --destructive-foreground: #fafafa; --border: #e5e5e5;
    --input: #e5e5e5; --ring: #a3a3a3; --chart-1: #e76e50; --chart-2: #2a9d90; --chart-3: #274754; --chart-4: #e8c468;
    --chart-5: #f4a462;
  }
  .dark {
    --background: #0a0a0a; --foreground: #fafafa; --card: #171717; --card-foreground: #fafafa; --popover: #171717;
    --popover-foreground: #fafafa; --primary: #e5e5e5; --primary-foreground: #171717; --secondary: #262626;
    --secondary-foreground: #fafafa; --muted: #262626; --muted-foreground: #a3a3a3; --accent: #262626;
    --accent-foreground: #fafafa; --destructive: #f87171; --destructive-foreground: #171717; --border: #404040;
    --input: #404040; --ring: #737373;
  }
  body { background: var(--background); color: var(--foreground); }
}
`;

/** Before its build is loaded: tells it for what the page was written, and takes its configuration. */
export function openTailwind(writtenFor: 'page' | 'version 3' | 'app'): void {
  if (writtenFor === 'version 3') addStyle(VERSION_3);
  if (writtenFor === 'app') addStyle(VERSION_3.replace(/^@custom-variant.*$/m, '') + APP);
  let config: unknown = {};
  const own = addStyle('');
  Object.defineProperty(window, 'tailwind', {
    configurable: true,
    value: {
      get config() {
        return config;
      },
      set config(value: unknown) {
        config = value;
        own.textContent = themeOfConfig(value);
      },
    },
  });
}

function addStyle(text: string): HTMLStyleElement {
  const style = document.createElement('style');
  style.type = TYPE;
  style.textContent = text;
  document.head.append(style);
  return style;
}

/** Waits until what it has built is in the page. */
export async function tailwindBuilt(): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  const isBuilt = () =>
    [...document.querySelectorAll('style:not([type])')].some((style) => style.textContent.includes('tailwindcss v4'));
  while (!isBuilt() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
}

const UTILITY =
  /["'`\s:](?:(?:p|m|px|py|pt|pb|pl|pr|mx|my|mt|mb|ml|mr|gap|w|h|space-[xy]|grid-cols|rounded|shadow|max-w|min-h|text|font)-(?:\d|\[|xs|sm|md|lg|xl|full|screen|auto|bold|semibold|center)|(?:bg|text|border|from|to)-(?:[a-z]+-\d{2,3}|white|black|primary|muted|background))/;

/** Whether classes of an app are those of Tailwind, which apps use without saying so. */
export function looksLikeTailwind(source: string): boolean {
  return source.includes('className') && UTILITY.test(source);
}
