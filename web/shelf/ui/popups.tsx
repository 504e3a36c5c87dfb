// What opens beside something: menus, lists to choose from, tips.
import {
  Children,
  createContext,
  isValidElement,
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

const Popup = createContext<PopupState>({ isOpen: false, setOpen: () => {}, anchor: { current: null }, id: '' });

interface RootProps {
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

type TriggerProps = Props<'button'> & {
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

interface ContentProps extends Props<'div'> {
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

const ITEM =
  'relative flex w-full cursor-pointer select-none items-center gap-2 rounded-sm px-2 py-1.5 text-left text-sm outline-none hover:bg-accent hover:text-accent-foreground focus:bg-accent focus:text-accent-foreground disabled:pointer-events-none disabled:opacity-50 [&_svg]:size-4';

/** A list that arrows go through; the first or the chosen item has the focus. */
function List({ className, role, ...props }: ContentProps & { role: 'menu' | 'listbox' }) {
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

interface ChoiceState {
  value: string;
  choose: (value: string) => void;
  labels: ReadonlyMap<string, ReactNode>;
}

const Choice = createContext<ChoiceState>({ value: '', choose: () => {}, labels: new Map() });

interface SelectProps extends RootProps {
  value?: string;
  defaultValue?: string;
  name?: string;
  disabled?: boolean;
  onValueChange?: (value: string) => void;
}

export function Select({ value, defaultValue, name, onValueChange, children, disabled, ...props }: SelectProps) {
  const [now, choose] = useValue(value, defaultValue ?? '', onValueChange);
  const labels = new Map<string, ReactNode>();
  gatherLabels(children, labels);
  return (
    <Choice value={{ value: now, choose, labels }}>
      <PopupRoot {...props}>
        <fieldset className="contents" disabled={disabled}>
          {children}
        </fieldset>
      </PopupRoot>
      {name && <input type="hidden" name={name} value={now} />}
    </Choice>
  );
}

/** What the items say: the trigger shows it while they are not there. */
function gatherLabels(children: ReactNode, labels: Map<string, ReactNode>): void {
  for (const child of Children.toArray(children)) {
    if (!isValidElement<{ value?: string; children?: ReactNode }>(child)) continue;
    if (child.type === SelectItem) labels.set(child.props.value ?? '', child.props.children);
    else gatherLabels(child.props.children, labels);
  }
}

export function SelectTrigger({ className, children, ...props }: TriggerProps & { size?: string }) {
  const { size, ...rest } = props;
  return (
    <PopupTrigger
      opens="listbox"
      {...rest}
      className={cn(
        'flex w-full cursor-pointer items-center justify-between gap-2 whitespace-nowrap rounded-md border border-input bg-transparent px-3 py-2 text-sm shadow-xs outline-none focus-visible:ring-2 focus-visible:ring-ring/50 disabled:cursor-not-allowed disabled:opacity-50',
        size === 'sm' ? 'h-8' : 'h-9',
        className,
      )}
    >
      {children}
      <Icon path={PATHS.down} className="opacity-50" />
    </PopupTrigger>
  );
}

export function SelectValue({
  placeholder,
  children,
  className,
}: {
  placeholder?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  const { value, labels } = use(Choice);
  const label = children ?? (value === '' ? undefined : (labels.get(value) ?? value));
  return (
    <span className={cn('truncate', label === undefined && 'text-muted-foreground', className)}>
      {label ?? placeholder}
    </span>
  );
}

export function SelectContent(props: ContentProps) {
  return <List {...props} role="listbox" />;
}

export function SelectItem({ className, value, children, ...props }: Props<'button'> & { value: string }) {
  const { value: now, choose } = use(Choice);
  const { setOpen, anchor } = use(Popup);
  return (
    <button
      type="button"
      role="option"
      {...props}
      aria-selected={now === value}
      className={cn(ITEM, 'pr-8', className)}
      onClick={() => {
        choose(value);
        setOpen(false);
        anchor.current?.focus();
      }}
    >
      {children}
      {now === value && <Icon path={PATHS.check} className="absolute right-2" />}
    </button>
  );
}
