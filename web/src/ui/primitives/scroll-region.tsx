import type { ComponentProps } from 'react';

/** What scrolls takes the focus, so that the keys reach and scroll it. */
export function ScrollRegion(props: ComponentProps<'div'>) {
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  return <div tabIndex={0} {...props} />;
}

/** The same for a text as it is: code, or what a program has written. */
export function ScrollText(props: ComponentProps<'pre'>) {
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  return <pre tabIndex={0} {...props} />;
}
