// The configuration that pages for Tailwind 3 write as an object, in the words of version 4, which knows none.

/** Which variables the values of a section become. */
const SECTIONS: Readonly<Record<string, string>> = {
  animation: 'animate',
  blur: 'blur',
  borderRadius: 'radius',
  boxShadow: 'shadow',
  colors: 'color',
  dropShadow: 'drop-shadow',
  fontFamily: 'font',
  fontSize: 'text',
  fontWeight: 'font-weight',
  letterSpacing: 'tracking',
  lineHeight: 'leading',
  maxWidth: 'container',
  screens: 'breakpoint',
  spacing: 'spacing',
  transitionTimingFunction: 'ease',
};

type Values = Readonly<Record<string, unknown>>;

/** @returns a style of Tailwind 4 with the theme of the configuration */
export function themeOfConfig(config: unknown): string {
  const { theme, darkMode } = asValues(config);
  const { extend, ...whole } = asValues(theme);
  const sections = [whole, asValues(extend)];
  const variables = sections.flatMap((section) =>
    Object.entries(SECTIONS).flatMap(([name, prefix]) => variablesOf(prefix, asValues(call(section[name])))),
  );
  const frames = sections.flatMap((section) => Object.entries(asValues(section.keyframes)).map(writeKeyframes));
  const images = sections.flatMap((section) =>
    Object.entries(asValues(section.backgroundImage)).map(
      ([name, value]) => `@utility bg-${escaped(name)} { background-image: ${String(value)}; }`,
    ),
  );
  const mode = Array.isArray(darkMode) ? darkMode[0] : darkMode;
  return [
    mode === 'class' || mode === 'selector' ? '@custom-variant dark (&:where(.dark, .dark *));' : '',
    `@theme {\n${[...variables, ...frames].join('\n')}\n}`,
    ...images,
  ].join('\n');
}

function variablesOf(prefix: string, values: Values): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const name = key === 'DEFAULT' ? prefix : `${prefix}-${escaped(key)}`;
    if (Array.isArray(value)) return writeList(prefix, name, value);
    if (typeof value === 'object' && value !== null) return variablesOf(name, asValues(value));
    return typeof value === 'string' || typeof value === 'number' ? [`  --${name}: ${value};`] : [];
  });
}

/** Families of letters, or a size with the height of its lines. */
function writeList(prefix: string, name: string, values: readonly unknown[]): string[] {
  if (prefix !== 'text') return [`  --${name}: ${values.map((one) => quoted(String(one))).join(', ')};`];
  const [size, more] = values;
  const { lineHeight } = typeof more === 'object' ? asValues(more) : { lineHeight: more };
  return [`  --${name}: ${String(size)};`, ...(lineHeight ? [`  --${name}--line-height: ${String(lineHeight)};`] : [])];
}

function quoted(family: string): string {
  return / /.test(family) && !/["',]/.test(family) ? `'${family}'` : family;
}

function writeKeyframes([name, steps]: [string, unknown]): string {
  const lines = Object.entries(asValues(steps)).map(([at, rules]) => {
    const written = Object.entries(asValues(rules)).map(
      ([property, value]) => `${property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${String(value)};`,
    );
    return `${at} { ${written.join(' ')} }`;
  });
  return `  @keyframes ${escaped(name)} { ${lines.join(' ')} }`;
}

/** A section may be a function of the theme, which is asked nothing here. */
function call(section: unknown): unknown {
  if (typeof section !== 'function') return section;
  try {
    return section({ theme: () => ({}), colors: {} });
  } catch {
    return {};
  }
}

function escaped(name: string): string {
  return name.replace(/[^\w-]/g, (sign) => `\\${sign}`);
}

function asValues(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
