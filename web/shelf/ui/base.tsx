// What the components of the shelf are made of: classes that are joined, one element in the place of another, and values
// that either the component or the app around it keeps.
import { clsx, type ClassValue } from 'clsx';
import {
  Children,
  cloneElement,
  isValidElement,
  useState,
  type ComponentProps,
  type HTMLAttributes,
  type ReactNode,
} from 'react';
import { twMerge } from 'tailwind-merge';

export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes));
}

export type Props<T extends keyof React.JSX.IntrinsicElements> = ComponentProps<T>;

interface StyledProps extends HTMLAttributes<HTMLElement> {
  /** The only child takes the place of the element. */
  asChild?: boolean;
}

/** An element with classes of its own, in which those of the app come last. */
export function styled(tag: string, classes: string, more: Record<string, unknown> = {}) {
  const Element = tag;
  return function Styled({ className, asChild, ...props }: StyledProps) {
    const all = { ...more, ...props, className: cn(classes, className) };
    return asChild ? <Slot {...all} /> : <Element {...all} />;
  };
}

type Handler = (event: unknown) => void;

interface SlotProps {
  children?: ReactNode;
  className?: string | undefined;
  [name: string]: unknown;
}

/** Its only child, with these properties as well. */
export function Slot({ children, ...props }: SlotProps): ReactNode {
  const child = Children.toArray(children)[0];
  if (!isValidElement<SlotProps>(child)) return children;
  const own = child.props;
  const joined: SlotProps = { ...props, ...own, className: cn(props.className, own.className) };
  for (const [name, handler] of Object.entries(props)) {
    const other = own[name];
    if (typeof handler === 'function' && typeof other === 'function')
      joined[name] = (event: unknown) => {
        (other as Handler)(event);
        (handler as Handler)(event);
      };
  }
  return cloneElement(child, joined);
}

/** A value of the app, or, where it keeps none, of the component. */
export function useValue<T>(
  given: T | undefined,
  first: T,
  tell: ((value: T) => void) | undefined,
): [T, (value: T) => void] {
  const [own, setOwn] = useState(first);
  const set = (value: T) => {
    setOwn(value);
    tell?.(value);
  };
  return [given === undefined ? own : given, set];
}

interface IconProps {
  path: string;
  className?: string;
}

/** A line drawing on 24 by 24. */
export function Icon({ path, className }: IconProps) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cn('size-4 shrink-0', className)}
    >
      <path d={path} />
    </svg>
  );
}

export const PATHS = {
  check: 'M20 6 9 17l-5-5',
  close: 'M18 6 6 18M6 6l12 12',
  down: 'm6 9 6 6 6-6',
  left: 'm15 18-6-6 6-6',
  right: 'm9 18 6-6-6-6',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
} as const;
