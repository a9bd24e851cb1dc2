import { ActionIcon, Button, FloatingWindow, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import type { SetFloatingWindowPosition } from '@mantine/hooks';
import { IconFilePlus, IconFiles, IconMenu2 } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { paths } from '#web/paths.ts';
import { Link, useNavigate } from '#web/platform/router.tsx';
import classes from './floating-menu.module.css';

/** Specification, section 9. */
const MENU_WIDTH_PX = 220;
const TRIGGER_PX = 56;
const MARGIN_PX = 16;
/** As in application-screen.module.css. */
const TWO_CARDS = '(min-width: 75em)';

interface FloatingMenuProps {
  /** Something is typed that cannot be saved as it is, which a new application would take the place of. */
  readonly losesTyping: () => boolean;
  /** Before a new application: answers the drafts that it is not to go on with. */
  readonly onNew: () => readonly string[];
}

/** The menu that can be dragged about: 'New Application' and 'My Applications' (specification, section 2). */
export function FloatingMenu({ losesTyping, onNew }: FloatingMenuProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const { opened, setOpened, isLeft, dragProps } = useDraggableMenu();

  function startNew(): void {
    void navigate(paths.startApplication, { state: { besides: onNew() } });
  }

  function goOn(): void {
    setAsking(false);
    // The menu's entry that had the focus is gone. Once the dialog has let go of it.
    setTimeout(() => trigger.current?.focus());
  }

  return (
    <>
      <FloatingWindow
        {...dragProps}
        className={classes.window}
        zIndex={150}
        withBorder={false}
        radius="xl"
        constrainToViewport
        constrainOffset={MARGIN_PX}
        initialPosition={{ right: MARGIN_PX, bottom: MARGIN_PX }}
      >
        <Menu
          opened={opened}
          onChange={setOpened}
          width={MENU_WIDTH_PX}
          position={isLeft ? 'top-start' : 'top-end'}
          withinPortal
          zIndex={160}
          withInitialFocusPlaceholder={false}
        >
          <Menu.Target>
            <ActionIcon
              ref={trigger}
              size={TRIGGER_PX}
              radius="xl"
              variant="default"
              aria-label="Applications menu"
              className={classes.trigger}
            >
              <IconMenu2 size={24} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              component={Link}
              to={paths.startApplication}
              // A link would begin a drag of its own.
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
      </FloatingWindow>
      <StartAfresh
        opened={asking}
        onClose={goOn}
        onStart={() => {
          setAsking(false);
          startNew();
        }}
      />
    </>
  );
}

interface StartAfreshProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onStart: () => void;
}

/** Asks before typing is thrown away that could not be saved. */
function StartAfresh({ opened, onClose, onStart }: StartAfreshProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Start a new application?" centered={false} returnFocus={false}>
      <Stack>
        <Text>What you have typed here is not complete enough to be saved, and will be lost.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Go on typing
          </Button>
          <Button color="red" onClick={onStart}>
            Start afresh
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The end of a drag is a click too, but not one that opens the menu; and the menu never hides behind the bar. */
function useDraggableMenu() {
  const [opened, setOpened] = useState(false);
  /** It opens towards the middle of the window. */
  const [isLeft, setLeft] = useState(false);
  const dragged = useRef(false);
  /** Where somebody dragged it to. */
  const place = useRef<Place>(undefined);
  const setPosition = useRef<SetFloatingWindowPosition>(null);

  /** Puts it where it was left, or where it begins, as near as the window and the bar have room. */
  const settle = useCallback(() => {
    const kept = { dragged: dragged.current, place: place.current };
    const { x, y } = kept.place ?? startingPlace();
    const lowest = window.innerHeight - barHeight() - TRIGGER_PX - MARGIN_PX;
    setPosition.current?.({ left: x, top: Math.min(y, lowest) });
    // That was no dragging.
    dragged.current = kept.dragged;
    place.current = kept.place;
  }, []);

  useEffect(() => {
    settle();
    window.addEventListener('resize', settle);
    const panel = findPanel();
    const observer = new ResizeObserver(settle);
    if (panel !== null) observer.observe(panel);
    return () => {
      window.removeEventListener('resize', settle);
      observer.disconnect();
    };
  }, [settle]);

  return {
    opened,
    setOpened: (open: boolean) => {
      if (open && dragged.current) dragged.current = false;
      else setOpened(open);
      if (open) setLeft((place.current ?? startingPlace()).x < window.innerWidth / 2);
    },
    isLeft,
    dragProps: {
      setPositionRef: setPosition,
      onDragStart: () => {
        dragged.current = false;
      },
      onPositionChange: (position: Place) => {
        dragged.current = true;
        place.current = position;
      },
      onDragEnd: settle,
    },
  };
}

/** Where both cards stand beside each other, below the shorter one; else at the right, where thumbs are. */
function startingPlace(): Place {
  const y = window.innerHeight;
  const cards = document.querySelector('[data-cards]');
  if (cards !== null && window.matchMedia(TWO_CARDS).matches) return { x: cards.getBoundingClientRect().left, y };
  return { x: window.innerWidth - TRIGGER_PX - MARGIN_PX, y };
}

function findPanel(): Element | null {
  return document.querySelector('[data-submit-panel]');
}

/** How much of the screen's lower edge the bar with 'Submit Application' takes; nothing where it is not a bar. */
function barHeight(): number {
  const panel = findPanel();
  if (panel === null || getComputedStyle(panel).position !== 'fixed') return 0;
  return window.innerHeight - panel.getBoundingClientRect().top;
}
