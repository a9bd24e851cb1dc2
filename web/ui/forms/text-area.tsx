import { type ElementProps, InputBase, type InputBaseProps } from '@mantine/core';
import classes from './text-area.module.css';

/**
 * A field for several lines that grows with its text. The browser sizes it: Mantine's own text area lays the whole page
 * out three times before the field is first seen, and needs 1 kB of script (docs/decisions/0023-first-screen.md).
 */
export function TextArea(props: InputBaseProps & ElementProps<'textarea', keyof InputBaseProps>) {
  return (
    <InputBase component="textarea" multiline size="md" rows={3} classNames={{ input: classes.input }} {...props} />
  );
}
