// Every colour, size and font of the product. The build makes the stylesheet from this file; nothing else in the
// browser has a raw colour.
import {
  convertCssVariables,
  createTheme,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  defaultVariantColorsResolver,
  mergeMantineTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/**
 * The sizes of text, space, controls and screens, as `--<name>` in our stylesheets; the build writes the value in place of
 * `var(--<name>)`. A screen's size counts rem: `--size-20` is 20rem. All are rem, so that a larger font of the browser,
 * or of our own setting, enlarges everything.
 */
export const sizes: Record<string, string> = {
  'text-xs': '0.75rem',
  'text-sm': '0.875rem',
  'text-md': '1rem',
  'text-lg': '1.25rem',
  'text-xl': '1.625rem',
  'leading-xs': '1rem',
  'leading-sm': '1.25rem',
  'leading-md': '1.5rem',
  'leading-lg': '2rem',
  'space-1': '0.25rem',
  'space-2': '0.5rem',
  'space-3': '0.75rem',
  'space-4': '1rem',
  'space-5': '1.5rem',
  'space-6': '2rem',
  'control-sm': '1.75rem',
  'control-md': '2.25rem',
  'control-lg': '2.75rem',
  'radius-sm': '0.375rem',
  'radius-md': '0.625rem',
  'radius-lg': '1.125rem',
  'radius-full': '100vmax',
  'icon-sm': '1rem',
  'icon-md': '1.125rem',
  'icon-lg': '1.5rem',
  bar: '3.25rem',
  sidebar: '16.25rem',
  'size-3': '3rem',
  'size-4': '4rem',
  'size-5': '5rem',
  'size-6': '6rem',
  'size-8': '8rem',
  'size-10': '10rem',
  'size-12': '12rem',
  'size-15': '15rem',
  'size-20': '20rem',
  'size-26': '26rem',
  'size-30': '30rem',
  'size-35': '35rem',
  'size-40': '40rem',
  'size-48': '48rem',
  'size-54': '54rem',
  'size-64': '64rem',
  'size-70': '70rem',
};

type Token =
  | 'bg'
  | 'side'
  | 'raised'
  | 'raised-line'
  | 'line'
  | 'edge'
  | 'text'
  | 'muted'
  | 'faint'
  | 'bubble'
  | 'hover'
  | 'accent'
  | 'accent-hover'
  | 'accent-soft'
  | 'on-accent'
  | 'code'
  | 'shadow'
  | 'danger'
  | 'danger-soft'
  | 'warning'
  | 'mask'
  | 'purple'
  | 'hl-k'
  | 'hl-s'
  | 'hl-f'
  | 'hl-c';

// Text colours have a contrast of 4.5:1 on each of their backgrounds (bg, side, code), the edges of fields and switches one
// of 3:1; a test checks both.
export const light: Record<Token, string> = {
  bg: '#ffffff',
  side: '#f7f6f3',
  raised: '#ffffff',
  'raised-line': '#e7e4de',
  line: '#e7e4de',
  edge: '#8f8a80',
  text: '#1f1e1b',
  muted: '#6b675f',
  faint: '#706c63',
  bubble: '#f2f0eb',
  hover: 'color-mix(in srgb, var(--p-text) 5%, transparent)',
  accent: '#0f766e',
  'accent-hover': '#0c625b',
  'accent-soft': '#e3f2ef',
  'on-accent': '#ffffff',
  code: '#f6f5f1',
  shadow: '0 1px 2px rgba(30, 25, 15, 0.05), 0 8px 24px rgba(30, 25, 15, 0.06)',
  danger: '#b42318',
  'danger-soft': '#fdf0ee',
  warning: '#8a5a00',
  mask: 'rgba(20, 18, 14, 0.35)',
  purple: '#7c4dff',
  'hl-k': '#7f35f2',
  'hl-s': '#0a7a4d',
  'hl-f': '#0b62c4',
  'hl-c': '#706c63',
};

export const dark: Record<Token, string> = {
  bg: '#1a1917',
  side: '#141311',
  raised: '#24221f',
  'raised-line': '#46433d',
  line: '#2d2b27',
  edge: '#75716a',
  text: '#ecebe6',
  muted: '#a39f95',
  faint: '#969186',
  bubble: '#282622',
  hover: 'color-mix(in srgb, var(--p-text) 6%, transparent)',
  accent: '#35b8a6',
  'accent-hover': '#4cc7b6',
  'accent-soft': '#17302c',
  'on-accent': '#06211d',
  code: '#2a2824',
  shadow: '0 1px 2px rgba(0, 0, 0, 0.4), 0 8px 24px rgba(0, 0, 0, 0.35)',
  danger: '#f97066',
  'danger-soft': '#2e1b18',
  warning: '#e0b25a',
  mask: 'rgba(0, 0, 0, 0.5)',
  purple: '#7c4dff',
  'hl-k': '#c4a1ff',
  'hl-s': '#6fd3a0',
  'hl-f': '#7fb6ff',
  'hl-c': '#969186',
};

const warmGray: MantineColorsTuple = [
  '#faf9f7',
  '#f7f6f3',
  '#f2f0eb',
  '#e7e4de',
  '#d8d4cc',
  '#9a958b',
  '#706c63',
  '#55514a',
  '#3a3732',
  '#1f1e1b',
];

const warmDark: MantineColorsTuple = [
  '#ecebe6',
  '#c9c6be',
  '#a39f95',
  '#969186',
  '#2d2b27',
  '#282622',
  '#211f1c',
  '#1a1917',
  '#141311',
  '#0e0d0c',
];

const teal: MantineColorsTuple = [
  '#effaf8',
  '#e3f2ef',
  '#bfe3dd',
  '#7fcdc1',
  '#35b8a6',
  '#1c9c8c',
  '#13877b',
  '#0f766e',
  '#0c625b',
  '#084842',
];

const systemFont =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"';

type Color = 'gray' | 'dark' | 'red' | 'teal';

declare module '@mantine/core' {
  interface MantineThemeColorsOverride {
    colors: Record<Color, MantineColorsTuple>;
  }
}

/** Mantine's other colours, which the type above excludes from our components, and the names of parts we do not use. */
const UNUSED =
  /^--mantine-(color-(pink|grape|violet|indigo|blue|cyan|green|lime|yellow|orange)-|color-\w+-outline|primary-color-\d|breakpoint-|h\d-|heading-|shadow-(md|lg))/;

export const theme = createTheme({
  fontFamily: systemFont,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  colors: { gray: warmGray, dark: warmDark, teal },
  black: light.text,
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 4 },
  defaultRadius: 'md',
  radius: { xs: '0.375rem', sm: '0.375rem', md: '0.625rem', lg: '1.125rem', xl: '1.125rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.25rem', xl: '1.625rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.6', lg: '1.6', xl: '1.3' },
  headings: { fontFamily: systemFont, fontWeight: '600' },
  breakpoints: { xs: '390px', sm: '640px', md: '768px', lg: '1024px', xl: '1440px' },
  cursorType: 'pointer',
  variantColorResolver: accentOnTokens,
  components: {
    // Scroll lock inserts a <style> element, which the content security policy forbids; the page itself never scrolls.
    Modal: { defaultProps: { lockScroll: false } },
    Drawer: { defaultProps: { lockScroll: false } },
    // The rules of these classes are in `global.css`.
    Input: { classNames: { wrapper: 'field-edge' } },
    // The radius of the fields would make circles of them.
    Checkbox: { defaultProps: { radius: 'xs' }, classNames: { input: 'checkbox-edge' } },
    Switch: { defaultProps: { size: 'sm', withThumbIndicator: false }, classNames: { track: 'switch-edge' } },
  },
});

/** Exports our tokens as `--p-*` and maps Mantine's surface colours to them. */
const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-body': 'var(--p-bg)',
    '--mantine-color-text': 'var(--p-text)',
    '--mantine-color-bright': 'var(--p-text)',
    '--mantine-color-dimmed': 'var(--p-muted)',
    '--mantine-color-placeholder': 'var(--p-faint)',
    '--mantine-color-error': 'var(--p-danger)',
    '--mantine-color-anchor': 'var(--p-accent)',
    '--mantine-color-default': 'var(--p-bg)',
    '--mantine-color-default-hover': 'var(--p-side)',
    '--mantine-color-default-color': 'var(--p-text)',
    '--mantine-color-default-border': 'var(--p-line)',
    '--mantine-primary-color-contrast': 'var(--p-on-accent)',
  },
  light: prefixed(light),
  dark: prefixed(dark),
});

/** The whole theme as one stylesheet, for the build. */
export function themeCss(): string {
  const whole = mergeMantineTheme(DEFAULT_THEME, theme);
  const base = defaultCssVariablesResolver(whole);
  const ours = cssVariablesResolver(whole);
  const isUnwanted = (name: string) => name in ours.variables || UNUSED.test(name);
  return convertCssVariables(
    {
      variables: { ...without(base.variables, isUnwanted), ...ours.variables },
      light: { ...without(base.light, isUnwanted), ...ours.light },
      dark: { ...without(base.dark, isUnwanted), ...ours.dark },
    },
    ':root',
  );
}

function prefixed(tokens: Record<Token, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--p-${name}`, value]));
}

function without(variables: Record<string, string>, isUnwanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !isUnwanted(name)));
}

/** A filled accent has dark text in the dark theme, where white on the lighter teal lacks contrast. */
function accentOnTokens(input: Parameters<VariantColorsResolver>[0]): ReturnType<VariantColorsResolver> {
  const colors = defaultVariantColorsResolver(input);
  const isAccent = !input.color || input.color === input.theme.primaryColor;
  if (input.variant !== 'filled' || !isAccent) return colors;
  return { ...colors, background: 'var(--p-accent)', hover: 'var(--p-accent-hover)', color: 'var(--p-on-accent)' };
}
