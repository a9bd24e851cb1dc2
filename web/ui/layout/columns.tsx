import { Box, type MantineSpacing } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './phone.module.css';

interface ColumnsProps {
  readonly gap: MantineSpacing;
  readonly maw?: number;
  readonly children: ReactNode;
}

/** Two columns, or one on a phone. */
export function Columns({ gap, ...props }: ColumnsProps) {
  return <Box className={classes.columns} style={{ gap: `var(--mantine-spacing-${gap})` }} {...props} />;
}
