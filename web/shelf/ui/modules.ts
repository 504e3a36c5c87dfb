// The components of the shelf by the names under which apps import them: those of shadcn/ui, with its ways of calling.
import { UI_COMPONENTS } from '@parley/schema/artifacts/shelf/libraries';
import * as variance from 'class-variance-authority';
import * as clsx from 'clsx';
import * as merge from 'tailwind-merge';
import { cn } from './base.tsx';
import * as buttons from './buttons.tsx';
import * as disclosure from './disclosure.tsx';
import * as fields from './fields.tsx';
import * as overlays from './overlays.tsx';
import * as popups from './popups.tsx';
import * as select from './select.tsx';
import * as surfaces from './surfaces.tsx';
import * as tables from './tables.tsx';

type Module = Readonly<Record<string, unknown>>;
type Name = (typeof UI_COMPONENTS)[number];

/** The parts of a dialog under the names of another one. */
function dialogNamed(name: string, more: Module): Module {
  const { Dialog, DialogTrigger, DialogClose, DialogPortal, DialogOverlay } = overlays;
  const { DialogHeader, DialogFooter, DialogTitle, DialogDescription } = overlays;
  return {
    [name]: Dialog,
    [`${name}Trigger`]: DialogTrigger,
    [`${name}Close`]: DialogClose,
    [`${name}Portal`]: DialogPortal,
    [`${name}Overlay`]: DialogOverlay,
    [`${name}Header`]: DialogHeader,
    [`${name}Footer`]: DialogFooter,
    [`${name}Title`]: DialogTitle,
    [`${name}Description`]: DialogDescription,
    ...more,
  };
}

/** Those exports of a module whose names begin so. */
function startingWith(name: string, module: Module): Module {
  return Object.fromEntries(Object.entries(module).filter(([one]) => one.startsWith(name)));
}

const { AlertDialogContent, AlertDialogAction, AlertDialogCancel, SheetContent, DrawerContent } = overlays;
const { PopupRoot, PopupTrigger, PopoverContent, HoverTrigger, TooltipContent, Passed } = popups;

const COMPONENTS: Readonly<Record<Name, Module>> = {
  accordion: startingWith('Accordion', disclosure),
  alert: startingWith('Alert', surfaces),
  'alert-dialog': dialogNamed('AlertDialog', { AlertDialogContent, AlertDialogAction, AlertDialogCancel }),
  'aspect-ratio': startingWith('AspectRatio', surfaces),
  avatar: startingWith('Avatar', surfaces),
  badge: { Badge: buttons.Badge, badgeVariants: buttons.badgeVariants },
  breadcrumb: startingWith('Breadcrumb', tables),
  button: { Button: buttons.Button, buttonVariants: buttons.buttonVariants },
  card: startingWith('Card', surfaces),
  checkbox: startingWith('Checkbox', fields),
  collapsible: startingWith('Collapsible', disclosure),
  dialog: startingWith('Dialog', overlays),
  drawer: dialogNamed('Drawer', { DrawerContent }),
  'dropdown-menu': {
    DropdownMenu: PopupRoot,
    DropdownMenuTrigger: popups.MenuTrigger,
    DropdownMenuContent: popups.MenuContent,
    DropdownMenuItem: popups.MenuItem,
    DropdownMenuCheckboxItem: popups.MenuCheckboxItem,
    DropdownMenuRadioGroup: popups.MenuRadioGroup,
    DropdownMenuRadioItem: popups.MenuRadioItem,
    DropdownMenuLabel: popups.MenuLabel,
    DropdownMenuSeparator: popups.MenuSeparator,
    DropdownMenuShortcut: popups.MenuShortcut,
    DropdownMenuGroup: popups.MenuGroup,
    DropdownMenuPortal: Passed,
    DropdownMenuSub: PopupRoot,
    DropdownMenuSubTrigger: popups.MenuTrigger,
    DropdownMenuSubContent: popups.MenuContent,
  },
  'hover-card': { HoverCard: PopupRoot, HoverCardTrigger: HoverTrigger, HoverCardContent: PopoverContent },
  input: startingWith('Input', fields),
  label: startingWith('Label', fields),
  pagination: startingWith('Pagination', tables),
  popover: { Popover: PopupRoot, PopoverTrigger: PopupTrigger, PopoverAnchor: Passed, PopoverContent },
  progress: startingWith('Progress', surfaces),
  'radio-group': startingWith('RadioGroup', fields),
  'scroll-area': { ScrollArea: surfaces.ScrollArea, ScrollBar: surfaces.ScrollBar },
  select: {
    ...startingWith('Select', select),
    SelectGroup: popups.MenuGroup,
    SelectLabel: popups.MenuLabel,
    SelectSeparator: popups.MenuSeparator,
    SelectScrollUpButton: () => null,
    SelectScrollDownButton: () => null,
  },
  separator: startingWith('Separator', surfaces),
  sheet: dialogNamed('Sheet', { SheetContent }),
  skeleton: startingWith('Skeleton', surfaces),
  slider: startingWith('Slider', fields),
  switch: startingWith('Switch', fields),
  table: startingWith('Table', tables),
  tabs: startingWith('Tabs', disclosure),
  textarea: startingWith('Textarea', fields),
  toggle: { Toggle: buttons.Toggle, toggleVariants: buttons.toggleVariants },
  'toggle-group': { ToggleGroup: buttons.ToggleGroup, ToggleGroupItem: buttons.ToggleGroupItem },
  tooltip: {
    TooltipProvider: Passed,
    Tooltip: PopupRoot,
    TooltipTrigger: HoverTrigger,
    TooltipContent,
  },
};

/** By the whole name that an app imports. */
export const UI_MODULES: Readonly<Record<string, Module>> = {
  ...Object.fromEntries(UI_COMPONENTS.map((name) => [`@/components/ui/${name}`, COMPONENTS[name]])),
  '@/lib/utils': { cn },
  clsx,
  'tailwind-merge': merge,
  'class-variance-authority': variance,
};
