import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ComponentProps } from 'react';

interface RowIconProps extends ActionIconProps, Omit<ComponentProps<'button'>, keyof ActionIconProps> {
  /** The action and its object; shown on hover. */
  readonly label: string;
  readonly icon: TablerIcon;
}

/** An action on a table's row, as an icon. */
export function RowIcon({ label, icon: Icon, ...button }: RowIconProps) {
  return (
    <Tooltip label={label} withArrow>
      <ActionIcon aria-label={label} {...button}>
        <Icon size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
