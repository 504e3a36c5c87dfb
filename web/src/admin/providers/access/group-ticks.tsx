import type { GroupRow } from '@parley/schema/accounts/group-rules';
import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.css';
import type { ReactNode } from 'react';
import classes from './access.module.css';

interface GroupTicksProps {
  /** What is for the groups. */
  legend: ReactNode;
  groups: readonly GroupRow[];
  ids: readonly string[];
  onChange: (ids: string[]) => void;
}

/** The groups that may use something, to tick. */
export function GroupTicks({ legend, groups, ids, onChange }: GroupTicksProps) {
  return (
    <fieldset className={classes.groups}>
      <legend>{legend}</legend>
      {groups.map(({ id, name }) => (
        <Checkbox
          key={id}
          className={classes.group}
          label={<bdi>{name}</bdi>}
          checked={ids.includes(id)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? [...ids, id] : ids.filter((other) => other !== id))
          }
        />
      ))}
    </fieldset>
  );
}
