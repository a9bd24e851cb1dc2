import { ActionIcon, Menu } from '@mantine/core';
import { IconChevronDown, IconFilePlus, IconFiles } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { paths } from '#web/paths.ts';
import { navigate } from '#web/platform/router/history.ts';
import { Link } from '#web/platform/router/router.tsx';
import { QuestionDialog } from '#web/ui/forms/question.tsx';
import classes from './floating-menu.module.css';
import { TRIGGER_PX, useFloating } from './use-floating.ts';

/** docs/specification-coverage.md, 9. */
const MENU_WIDTH_PX = 220;

interface FloatingMenuProps {
  /** Whether typing that cannot be saved would be lost to a new application. */
  readonly losesTyping: () => boolean;
  /** Called before a new application; returns the drafts that the new one must not continue. */
  readonly onNew: () => readonly string[];
}

/**
 * A menu that can be dragged: 'New Application' and 'My Applications' (docs/specification-coverage.md, 2). It starts at
 * the end of the screen's heading, where it covers nothing.
 */
export function FloatingMenu({ losesTyping, onNew }: FloatingMenuProps) {
  const [asking, setAsking] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  const { place, dragging, endsDrag, windowRef, dragProps } = useFloating();

  function startNew(): void {
    void navigate(paths.startApplication, { state: { besides: onNew() } });
  }

  function stay(): void {
    setAsking(false);
    // The focused menu entry is gone. Runs after the dialog has released the focus.
    setTimeout(() => trigger.current?.focus());
  }

  return (
    <>
      <div
        ref={windowRef}
        className={place === undefined ? classes.docked : classes.afloat}
        style={place && { left: place.x, top: place.y }}
        data-dragging={dragging || undefined}
      >
        <Menu
          opened={opened}
          // A drag ends with a click too, which must not open the menu.
          onChange={(open) => setOpened(!endsDrag() && open)}
          width={MENU_WIDTH_PX}
          position="bottom-end"
          withinPortal
          zIndex={160}
          withInitialFocusPlaceholder={false}
        >
          <Menu.Target>
            <ActionIcon
              ref={trigger}
              size={TRIGGER_PX}
              variant="default"
              aria-label="Applications menu"
              className={classes.trigger}
              {...dragProps}
            >
              <IconFiles size={22} aria-hidden />
              <IconChevronDown size={14} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              component={Link}
              to={paths.startApplication}
              // A link would start its own drag.
              draggable={false}
              leftSection={<IconFilePlus size={18} aria-hidden />}
              onClick={(event) => {
                event.preventDefault();
                if (losesTyping()) setAsking(true);
                else startNew();
              }}
            >
              New Application
            </Menu.Item>
            <Menu.Item
              component={Link}
              to={paths.myApplications}
              draggable={false}
              leftSection={<IconFiles size={18} aria-hidden />}
            >
              My Applications
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {/* Asks before discarding typing that could not be saved. */}
      <QuestionDialog
        title="Start a new application?"
        yes="Start again"
        no="Keep typing"
        opened={asking}
        mutation={{ isPending: false, error: null }}
        returnFocus={false}
        onClose={stay}
        onYes={() => {
          setAsking(false);
          startNew();
        }}
      >
        We can't save what you typed yet: some details are missing. If you start again, you lose it.
      </QuestionDialog>
    </>
  );
}
