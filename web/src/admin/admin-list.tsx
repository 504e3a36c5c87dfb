// What the lists of the administration are made of.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './admin.module.css';
import { describeError } from '../errors/describe-error.ts';
import { useOnChange } from '../feed/use-on-change.ts';
import pageClasses from '../layout/page/page.module.css';
import { saveFile } from '../lib/save-file.ts';
import { trpc } from '../trpc.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { useShowError } from '../ui/toast/use-show-error.ts';

/** A part of a section, with its heading. */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section className={classes.block} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}

interface ListRowProps {
  name: string;
  /** Of the name, for `RowButton`. */
  nameId?: string;
  about: string;
  children: ReactNode;
}

/** Who or what it is, and what can be done about it. */
export function ListRow({ name, nameId, about, children }: ListRowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.person}>
        <bdi id={nameId} className={classes.name}>
          {name}
        </bdi>
        <bdi className={classes.muted}>{about}</bdi>
      </span>
      {children}
    </li>
  );
}

/** A button of a row, called by its label and what the row is of. */
export function RowButton({ nameId, ...button }: ButtonProps & { nameId: string }) {
  const id = useId();
  return <Button size="sm" id={id} aria-labelledby={`${id} ${nameId}`} {...button} />;
}

interface ReadProps<Data> {
  query: { data: Data | undefined; error: unknown };
  /** Rows that stand for it while it is read. */
  rows: number;
  children: (data: Data) => ReactNode;
}

/** What was read of the server, or why it was not. */
export function Read<Data>({ query: { data, error }, rows, children }: ReadProps<Data>) {
  const { t } = useTranslation();
  if (error) return <p className={pageClasses.note}>{describeError(error, t)}</p>;
  return data === undefined ? <SkeletonRows count={rows} /> : children(data);
}

/** As `Read`, of a whole section: what was read stays, and what was not can be read again. */
export function ReadSection<Data>({ query, rows, children }: ReadProps<Data> & { query: { refetch: () => unknown } }) {
  const { t } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <SkeletonRows count={rows} />;
  return (
    <div className={pageClasses.notice} role="alert">
      <p className={pageClasses.note}>{describeError(query.error, t)}</p>
      <Button onClick={() => void query.refetch()}>{t('com_ui_retry')}</Button>
    </div>
  );
}

interface PagesProps {
  hasNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Reads the next page of a list, where there is one. */
export function MoreButton({ pages: { hasNextPage, fetchNextPage } }: { pages: PagesProps }) {
  const { t } = useTranslation();
  if (!hasNextPage) return null;
  return (
    <div>
      <Button onClick={() => void fetchNextPage()}>{t('com_people_more')}</Button>
    </div>
  );
}

/** One word for the state of what administrators manage. */
export function StateTag({ tone, children }: { tone: 'good' | 'quiet' | 'bad'; children: ReactNode }) {
  return (
    <span className={classes.state} data-tone={tone}>
      {children}
    </span>
  );
}

/** The list of providers or of tools is read again when another administrator has changed something of them. */
export function useFollowedList(of: 'providers' | 'tools'): void {
  const utils = trpc.useUtils();
  useOnChange('endpoints', () => void utils.admin[of].list.invalidate());
}

/** Saves the lines that `read` resolves to as a file. */
export function ExportButton({ fileName, read }: { fileName: string; read: () => Promise<string[]> }) {
  const { t } = useTranslation();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => saveFile(new Blob(await read(), { type: 'text/csv' }), fileName),
    onError: useShowError(),
  });
  return (
    <BusyButton isBusy={isPending} onClick={() => mutate()}>
      {t('com_audit_export')}
    </BusyButton>
  );
}
