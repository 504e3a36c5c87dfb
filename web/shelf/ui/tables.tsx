import { buttonVariants } from './buttons.tsx';
import { cn, Icon, PATHS, styled, type Props } from './base.tsx';

export function Table({ className, ...props }: Props<'table'>) {
  return (
    <div className="relative w-full overflow-x-auto">
      <table {...props} className={cn('w-full caption-bottom text-sm', className)} />
    </div>
  );
}

export const TableHeader = styled('thead', '[&_tr]:border-b');
export const TableBody = styled('tbody', '[&_tr:last-child]:border-0');
export const TableFooter = styled('tfoot', 'border-t bg-muted/50 font-medium [&>tr]:last:border-b-0');
export const TableRow = styled('tr', 'border-b transition-colors hover:bg-muted/50 data-[state=selected]:bg-muted');
export const TableHead = styled('th', 'h-10 whitespace-nowrap px-2 text-left align-middle font-medium text-foreground');
export const TableCell = styled('td', 'whitespace-nowrap p-2 align-middle');
export const TableCaption = styled('caption', 'mt-4 text-sm text-muted-foreground');

export const Breadcrumb = styled('nav', '', { 'aria-label': 'breadcrumb' });
export const BreadcrumbList = styled('ol', 'flex flex-wrap items-center gap-1.5 text-sm text-muted-foreground');
export const BreadcrumbItem = styled('li', 'inline-flex items-center gap-1.5');
export const BreadcrumbLink = styled('a', 'transition-colors hover:text-foreground');
export const BreadcrumbPage = styled('span', 'font-normal text-foreground', { 'aria-current': 'page' });

export function BreadcrumbSeparator({ children, className, ...props }: Props<'li'>) {
  return (
    <li role="presentation" aria-hidden {...props} className={cn('[&>svg]:size-3.5', className)}>
      {children ?? <Icon path={PATHS.right} />}
    </li>
  );
}

export function BreadcrumbEllipsis({ className, ...props }: Props<'span'>) {
  return (
    <span
      role="presentation"
      aria-hidden
      {...props}
      className={cn('flex size-9 items-center justify-center', className)}
    >
      <Icon path={PATHS.dots} />
    </span>
  );
}

export const Pagination = styled('nav', 'mx-auto flex w-full justify-center', { 'aria-label': 'pagination' });
export const PaginationContent = styled('ul', 'flex flex-row items-center gap-1');
export const PaginationItem = styled('li', '');
export const PaginationEllipsis = BreadcrumbEllipsis;

type LinkProps = Props<'a'> & { isActive?: boolean; size?: 'default' | 'icon' };

export function PaginationLink({ className, isActive = false, size = 'icon', children, ...props }: LinkProps) {
  const look = buttonVariants({ variant: isActive ? 'outline' : 'ghost', size });
  return (
    <a {...props} aria-current={isActive ? 'page' : undefined} className={cn(look, className)}>
      {children}
    </a>
  );
}

export function PaginationPrevious(props: LinkProps) {
  return (
    <PaginationLink aria-label="Go to previous page" size="default" {...props}>
      <Icon path={PATHS.left} />
      <span>Previous</span>
    </PaginationLink>
  );
}

export function PaginationNext(props: LinkProps) {
  return (
    <PaginationLink aria-label="Go to next page" size="default" {...props}>
      <span>Next</span>
      <Icon path={PATHS.right} />
    </PaginationLink>
  );
}
