// What opens beside something: menus and tips, and the list of a select (select.tsx).
import {
  createContext,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { createPortal } from 'react-dom';
import { cn, Icon, PATHS, Slot, styled, useValue, type Props } from './base.tsx';
import { moveFocus } from './disclosure.tsx';

interface PopupState {
  isOpen: boolean;
  setOpen: (open: boolean) => void;
  anchor: RefObject<HTMLButtonElement | null>;
  id: string;
}

export const Popup = createContext<PopupState>({ isOpen: false, setOpen: () => {}, anchor: { current: null }, id: '' });

export interface RootProps {
  open?: boolean;
  defaultOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
  children?: ReactNode;
}

export function PopupRoot({ open, defaultOpen, onOpenChange, children }: RootProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [isOpen, setOpen] = useValue(open, defaultOpen ?? false, onOpenChange);
  return <Popup value={{ isOpen, setOpen, anchor, id }}>{children}</Popup>;
}

export type TriggerProps = Props<'button'> & {
  asChild?: boolean;
  opensBy?: 'press' | 'pointer';
  opens?: 'menu' | 'listbox' | 'dialog';
};

export function PopupTrigger({ asChild, opensBy = 'press', opens = 'dialog', ...props }: TriggerProps) {
  const { isOpen, setOpen, anchor, id } = use(Popup);
  const point = {
    onPointerEnter: () => setOpen(true),
    onPointerLeave: () => setOpen(false),
    onFocus: () => setOpen(true),
    onBlur: () => setOpen(false),
    'aria-describedby': isOpen ? id : undefined,
  };
  const press = {
    onClick: () => setOpen(!isOpen),
    'aria-haspopup': opens,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? id : undefined,
  };
  const all = {
    ...props,
    ...(opensBy === 'press' ? press : point),
    'data-state': isOpen ? 'open' : 'closed',
    ref: anchor,
  };
  return asChild ? <Slot {...all} /> : <button type="button" {...all} />;
}

export interface ContentProps extends Props<'div'> {
  side?: 'top' | 'bottom' | 'left' | 'right';
  align?: 'start' | 'center' | 'end';
  sideOffset?: number;
}

const SURFACE = 'fixed z-50 rounded-md border bg-popover text-popover-foreground shadow-md outline-none';

/** Below or above its trigger, within the window. */
export function PopupContent({ className, side = 'bottom', align = 'center', sideOffset = 4, ...props }: ContentProps) {
  const { isOpen, setOpen, anchor, id } = use(Popup);
  const content = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: 0, top: 0, minWidth: 0 });
  useLayoutEffect(() => {
    if (!isOpen || !anchor.current || !content.current) return;
    setPlace(placeBeside(anchor.current.getBoundingClientRect(), content.current, { side, align, sideOffset }));
  }, [isOpen, anchor, side, align, sideOffset]);
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      const target = event.target instanceof Node ? event.target : null;
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !isWithin(target, content, anchor)) setOpen(false);
      if (event instanceof KeyboardEvent && event.key === 'Escape') anchor.current?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('keydown', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('keydown', leave);
    };
  }, [isOpen, setOpen, anchor]);
  if (!isOpen) return null;
  return createPortal(
    <div
      {...props}
      ref={content}
      id={id}
      data-state="open"
      data-side={side}
      style={{ ...place, ...props.style }}
      className={cn(SURFACE, className)}
    />,
    // A modal dialog covers the rest of the page.
    anchor.current?.closest('dialog') ?? document.body,
  );
}

function isWithin(target: Node | null, ...places: RefObject<HTMLElement | null>[]): boolean {
  return places.some((place) => place.current?.contains(target));
}

const EDGE = 8;

function placeBeside(
  anchor: DOMRect,
  content: HTMLElement,
  { side, align, sideOffset }: Required<Pick<ContentProps, 'side' | 'align' | 'sideOffset'>>,
) {
  const { offsetWidth: width, offsetHeight: height } = content;
  const isBeside = side === 'left' || side === 'right';
  const along = { start: anchor.left, center: anchor.left + (anchor.width - width) / 2, end: anchor.right - width };
  const below = anchor.bottom + sideOffset;
  const above = anchor.top - sideOffset - height;
  const isAbove = side === 'top' ? above >= EDGE : below + height > window.innerHeight - EDGE && above >= EDGE;
  const left =
    side === 'left' ? anchor.left - sideOffset - width : side === 'right' ? anchor.right + sideOffset : along[align];
  const top = isBeside ? anchor.top + (anchor.height - height) / 2 : isAbove ? above : below;
  return {
    left: Math.max(EDGE, Math.min(left, window.innerWidth - width - EDGE)),
    top: Math.max(EDGE, top),
    minWidth: anchor.width,
  };
}

export function PopoverContent({ className, ...props }: ContentProps) {
  return <PopupContent role="dialog" {...props} className={cn('w-72 p-4', className)} />;
}

export function HoverTrigger(props: TriggerProps) {
  return <PopupTrigger {...props} opensBy="pointer" />;
}

export function TooltipContent({ className, ...props }: ContentProps) {
  const look = 'w-fit border-0 bg-primary px-3 py-1.5 text-xs text-primary-foreground';
  return <PopupContent role="tooltip" side="top" {...props} className={cn(look, className)} />;
}

export function Passed({ children }: { children?: ReactNode }) {
  return children;
}

export const ITEM =
  'relative flex w-full cursor-pointer select-none items-center gap-2 rounded-sm px-2 py-1.5 text-left text-sm outline-none hover:bg-accent hover:text-accent-foreground focus:bg-accent focus:text-accent-foreground disabled:pointer-events-none disabled:opacity-50 [&_svg]:size-4';

/** A list that arrows go through; the first or the chosen item has the focus. */
export function List({ className, role, ...props }: ContentProps & { role: 'menu' | 'listbox' }) {
  const { isOpen, id } = use(Popup);
  useEffect(() => {
    if (!isOpen) return;
    const list = document.getElementById(id);
    const first =
      list?.querySelector<HTMLElement>('[aria-selected=true]') ?? list?.querySelector('button:not(:disabled)');
    if (first instanceof HTMLElement) first.focus();
  }, [isOpen, id]);
  return (
    <PopupContent
      role={role}
      align="start"
      {...props}
      className={cn('max-h-80 min-w-32 overflow-y-auto p-1', className)}
      onKeyDown={(event) => moveFocus(event, 'button:not(:disabled)', ['ArrowUp', 'ArrowDown'])}
    />
  );
}

export function MenuTrigger(props: TriggerProps) {
  return <PopupTrigger opens="menu" {...props} />;
}

export function MenuContent(props: ContentProps) {
  return <List {...props} role="menu" />;
}

type ItemProps = Omit<Props<'button'>, 'onSelect'> & {
  inset?: boolean;
  variant?: string;
  asChild?: boolean;
  onSelect?: (event: Event) => void;
};

export function MenuItem({ className, inset, variant, onSelect, asChild, ...props }: ItemProps) {
  const { setOpen } = use(Popup);
  const classes = cn(ITEM, inset && 'pl-8', variant === 'destructive' && 'text-destructive', className);
  const leave = (event: { nativeEvent: Event }) => {
    onSelect?.(event.nativeEvent);
    setOpen(false);
  };
  if (asChild) return <Slot role="menuitem" {...props} className={classes} onClick={() => setOpen(false)} />;
  return (
    <button
      type="button"
      role="menuitem"
      {...props}
      className={classes}
      onClick={(event) => {
        props.onClick?.(event);
        leave(event);
      }}
    />
  );
}

interface MenuCheckProps extends ItemProps {
  checked?: boolean;
  onCheckedChange?: (checked: boolean) => void;
}

export function MenuCheckboxItem({ checked = false, onCheckedChange, children, ...props }: MenuCheckProps) {
  return (
    <MenuItem
      role="menuitemcheckbox"
      aria-checked={checked}
      {...props}
      inset
      onSelect={() => onCheckedChange?.(!checked)}
    >
      {checked && <Icon path={PATHS.check} className="absolute left-2" />}
      {children}
    </MenuItem>
  );
}

const MenuRadio = createContext<{ value: string; choose?: ((value: string) => void) | undefined }>({ value: '' });

interface MenuRadioGroupProps {
  value?: string;
  onValueChange?: (value: string) => void;
  children?: ReactNode;
}

export function MenuRadioGroup({ value = '', onValueChange, children }: MenuRadioGroupProps) {
  return <MenuRadio value={{ value, choose: onValueChange }}>{children}</MenuRadio>;
}

export function MenuRadioItem({ value, ...props }: ItemProps & { value: string }) {
  const group = use(MenuRadio);
  return <MenuCheckboxItem {...props} checked={group.value === value} onCheckedChange={() => group.choose?.(value)} />;
}

export const MenuLabel = styled('div', 'px-2 py-1.5 text-sm font-medium');
export const MenuSeparator = styled('div', '-mx-1 my-1 h-px bg-border', { role: 'separator' });
export const MenuShortcut = styled('span', 'ml-auto text-xs tracking-widest text-muted-foreground');
export const MenuGroup = styled('div', '', { role: 'group' });
