import { Button, type ButtonProps, Group } from '@mantine/core';

interface FormButtonsProps extends Pick<ButtonProps, 'color'> {
  readonly sending: boolean;
  readonly onCancel: () => void;
  /** What sending the form does; undefined if it cannot be sent. */
  readonly children: string | undefined;
}

/** The two ways out of a form in a dialog. */
export function FormButtons({ sending, onCancel, children, ...props }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} disabled={sending}>
        Cancel
      </Button>
      {children !== undefined && (
        <Button {...props} type="submit" loading={sending}>
          {children}
        </Button>
      )}
    </Group>
  );
}
