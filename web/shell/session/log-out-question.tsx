import { Button, getDefaultZIndex, Modal, Stack, Text } from '@mantine/core';
import { type MouseEvent, useState } from 'react';
import { PRODUCT_NAME } from '#contract/product.ts';
import { paths } from '#web/paths.ts';
import { navigate } from '#web/platform/router/history.ts';
import { findUnsavedWork, forgetUnsavedWork } from '#web/platform/storage/unsaved-work.ts';

/**
 * A deliberate logout. Immediate if everything is saved, otherwise after a confirmation. An idle log-off or the logout
 * address doesn't ask, because the typing is kept for the same person.
 */
export function useLogOut(userTag: string) {
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);

  async function ask(): Promise<void> {
    const found = await findUnsavedWork(userTag);
    if (found.length === 0) void navigate(paths.logout);
    else setUnsaved(found);
  }

  return {
    ask: (event?: MouseEvent) => {
      // A link opened in another tab logs out in that tab.
      if (event !== undefined && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
      event?.preventDefault();
      void ask();
    },
    question: {
      unsaved,
      onStay: () => setUnsaved([]),
      onKeep: () => void navigate(paths.logout),
      onDelete: () => void forgetUnsavedWork(userTag).then(() => navigate(paths.logout)),
    },
  };
}

type LogOutQuestionProps = ReturnType<typeof useLogOut>['question'];

/** The unsaved typing, and what will happen to it. */
export function LogOutQuestion({ unsaved, onStay, onKeep, onDelete }: LogOutQuestionProps) {
  return (
    <Modal
      opened={unsaved.length > 0}
      onClose={onStay}
      title="Log out with unsaved work?"
      closeOnClickOutside={false}
      // The question can also come from the idle dialog, which stays open below it.
      zIndex={getDefaultZIndex('max') + 1}
    >
      <Stack>
        <Text>
          What you typed into {unsaved.join(', ')} has not reached {PRODUCT_NAME}. It stays on this device for you
          alone. Log in here again and it is saved.
        </Text>
        <Stack gap="sm">
          <Button onClick={onStay} data-autofocus>
            Stay
          </Button>
          <Button variant="default" onClick={onKeep}>
            Keep it and log out
          </Button>
          <Button variant="subtle" color="red" onClick={onDelete}>
            Delete it and log out
          </Button>
        </Stack>
      </Stack>
    </Modal>
  );
}
