import { Button, type ButtonProps, Group } from '@mantine/core';
import classes from './form-buttons.module.css';
import { WaitingButton } from './waiting-button.tsx';

interface FormButtonsProps extends Pick<ButtonProps, 'color'> {
  readonly sending: boolean;
  /** Something else has to be done first; the form says what. */
  readonly blocked?: boolean;
  readonly onCancel: () => void;
  /** The label of the submit button; undefined if the form cannot be sent. */
  readonly children: string | undefined;
}

/** The submit and cancel buttons of a form, always in sight in a dialog. */
export function FormButtons({ sending, blocked = false, onCancel, children, ...props }: FormButtonsProps) {
  return (
    <Group justify="flex-end" className={classes.buttons}>
      <Button variant="default" onClick={onCancel} disabled={sending}>
        Cancel
      </Button>
      {children !== undefined && (
        <WaitingButton {...props} type="submit" busy={sending} disabled={blocked}>
          {children}
        </WaitingButton>
      )}
    </Group>
  );
}
