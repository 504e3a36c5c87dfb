import classes from './field.module.css';

/** The styles of a labelled field, for the `classNames` of Mantine's inputs. */
export const fieldClasses = {
  label: classes.label,
  description: classes.description,
  input: classes.input,
  error: classes.error,
};

/** The same for a screen that is only a form. */
export const largeFieldClasses = { ...fieldClasses, input: `${classes.input} ${classes.large}` };
