import {
  type ActionIconProps,
  type AnchorProps,
  type ButtonProps,
  type CardProps,
  type CSSVariablesResolver,
  createTheme,
  MantineProvider,
  type ModalProps,
  type NotificationProps,
  type PaperProps,
  type PasswordInputProps,
  type SelectProps,
  type TableProps,
  type TooltipProps,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { isStaff } from '#contract/permissions.ts';
import { useHydrated } from '#web/platform/hydration/use-hydrated.ts';
import { useSessionUser } from '#web/platform/session/session.ts';
import { Toasts } from '#web/ui/toasts/toasts.tsx';
import { blue, dark, gray, green, orange, red, yellow } from './palette.ts';
import './theme.css';

/** Fields and buttons are 42 px high, 44 px on phones (theme.css). */
const field = { defaultProps: { size: 'md' } } as const;
const named = { 'aria-label': 'Close' } as const;
/** A dialog's header must not count as a second banner of the page. */
const plainHeader = { header: { role: 'presentation' } } as const;

/** The only sizes of text: small print, quiet text, text, headings, and the number that people came for. */
const fontSizes = { xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.25rem', xl: '1.75rem' } as const;

/**
 * The components' defaults. They are listed by name, because `Component.extend` would put each component into the first
 * script that a phone loads.
 */
const components = {
  ActionIcon: {
    defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } satisfies ActionIconProps,
  },
  Anchor: { defaultProps: { underline: 'hover' } satisfies AnchorProps },
  Button: { defaultProps: { size: 'md' } satisfies ButtonProps },
  Card: { defaultProps: { withBorder: true, shadow: 'none', padding: 'lg' } satisfies CardProps },
  Checkbox: field,
  InputBase: field,
  Modal: {
    defaultProps: {
      centered: true,
      padding: 'lg',
      lockScroll: false, // theme.css does it
      closeButtonProps: named,
      attributes: plainHeader,
    } satisfies Partial<ModalProps>,
    // A long title takes two lines on a phone; a long unbroken word must leave the close button on the screen.
    styles: {
      title: { fontWeight: 650, fontSize: fontSizes.lg, lineHeight: 1.35, minWidth: 0, overflowWrap: 'anywhere' },
    },
  },
  Drawer: { defaultProps: { lockScroll: false, closeButtonProps: named, attributes: plainHeader } },
  Notification: { defaultProps: { closeButtonProps: named } satisfies Partial<NotificationProps> },
  NumberInput: field,
  Paper: { defaultProps: { withBorder: true, shadow: 'none' } satisfies PaperProps },
  PasswordInput: {
    defaultProps: {
      size: 'md',
      visibilityToggleFocusable: true,
      visibilityToggleButtonProps: { 'aria-label': 'Show password' },
    } satisfies PasswordInputProps,
  },
  Radio: field,
  RadioGroup: field,
  Select: {
    defaultProps: {
      size: 'md',
      checkIconPosition: 'right',
      nothingFoundMessage: 'Nothing found',
    } satisfies SelectProps,
  },
  Table: { defaultProps: { verticalSpacing: 'sm' } satisfies TableProps },
  TextInput: field,
  Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true } } satisfies Partial<TooltipProps> },
} as const;

/**
 * Sizes and colours of every screen. One accent colour shows a person's role: green for staff, blue for everybody else.
 */
const base = {
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  colors: { gray, dark, blue, green, red, yellow, orange },
  black: gray[9],
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  fontSizes,
  spacing: { xxs: '0.25rem', xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: fontSizes.lg, lineHeight: '1.75rem' },
      h2: { fontSize: fontSizes.md, lineHeight: '1.5rem' },
      h3: { fontSize: fontSizes.sm, lineHeight: '1.25rem' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  components,
} as const;

const clientTheme = createTheme({ ...base, primaryColor: 'blue' });
const staffTheme = createTheme({ ...base, primaryColor: 'green' });

/** Quiet surfaces in dark mode are a step lighter than the surface below them; Mantine's own are darker, like holes. */
const quietInDark = Object.fromEntries(
  ['blue', 'green', 'red', 'yellow', 'orange'].flatMap((color) => {
    const mixed = (share: number) =>
      `color-mix(in srgb, var(--mantine-color-${color}-9) ${share}%, var(--mantine-color-dark-7))`;
    return [
      [`--mantine-color-${color}-light`, mixed(45)],
      [`--mantine-color-${color}-light-hover`, mixed(60)],
      [`--mantine-color-${color}-light-color`, `var(--mantine-color-${color}-2)`],
    ];
  }),
);

/** Quiet text, placeholders and errors with a contrast of at least 4.5 : 1 on every surface they appear on. */
const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-7)',
    '--mantine-color-success': 'var(--mantine-color-green-7)',
    '--mantine-color-disabled-color': 'var(--mantine-color-gray-6)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-3)',
  },
  dark: {
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-success': 'var(--mantine-color-green-4)',
    '--mantine-color-disabled-color': 'var(--mantine-color-dark-2)',
    '--mantine-color-default-color': 'var(--mantine-color-text)',
    ...quietInDark,
  },
});

/** Wraps everything in the theme and toasts; dark mode follows the system. */
export function ThemedRoot({ children }: { readonly children: ReactNode }) {
  const user = useSessionUser();
  // A prerendered page brings the variables that it uses.
  const isHydrated = useHydrated();
  return (
    <Themed staff={user !== null && isStaff(user)} withStyles={isHydrated}>
      <Toasts />
      {children}
    </Themed>
  );
}

interface ThemedProps {
  readonly staff: boolean;
  /** Whether to write Mantine's variables too. */
  readonly withStyles: boolean;
  readonly children?: ReactNode;
}

/** The theme alone. */
export function Themed({ staff, withStyles, children }: ThemedProps) {
  return (
    <MantineProvider
      theme={staff ? staffTheme : clientTheme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      withCssVariables={withStyles}
      // For `hiddenFrom` and `visibleFrom`, which we don't use.
      withGlobalClasses={false}
      // All of Mantine's variables are written here, so its default stylesheet for them need not be loaded.
      deduplicateCssVariables={false}
    >
      {children}
    </MantineProvider>
  );
}
