import { Fragment, type ReactNode } from 'react';

interface InOrderProps<Item> {
  items: readonly Item[];
  children: (item: Item, index: number) => ReactNode;
}

/** Draws items that have no identity but their place, as the parts of a text, or those of a list that only grows. */
export function InOrder<Item>({ items, children }: InOrderProps<Item>) {
  // oxlint-disable-next-line react/no-array-index-key
  return items.map((item, index) => <Fragment key={index}>{children(item, index)}</Fragment>);
}
