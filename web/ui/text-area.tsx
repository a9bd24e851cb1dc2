import { Textarea, type TextareaProps } from '@mantine/core';
import classes from './text-area.module.css';

/**
 * A field for several lines that grows with what is typed. The browser sees to that: Mantine's `autosize` lays the whole page
 * out three times before the field is first seen (docs/decisions/0029-screens-on-a-bad-line.md).
 */
export function TextArea(props: TextareaProps) {
  return <Textarea rows={3} classNames={{ input: classes.input }} {...props} />;
}
