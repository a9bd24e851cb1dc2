import { Box, Button, Center, Group, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode, useEffect } from 'react';
import { paths } from '#web/paths.ts';
import type { Location } from '#web/platform/router/history.ts';
import { Outlet, useLocation } from '#web/platform/router/router.tsx';
import { OutdatedVersion } from '#web/platform/router/screen-code.ts';
import { LoadingLine } from '#web/ui/loading/loading-line.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';

/** Messages of errors for a script or stylesheet that did not load: Chrome and Firefox, Safari, Vite. */
const NOT_LOADED = /dynamically imported module|importing a module script|MIME type|unable to preload/i;

interface BoundaryProps {
  /** Navigating elsewhere clears the error. */
  readonly at: Location;
  readonly children: ReactNode;
  readonly instead: (error: unknown) => ReactNode;
}

interface BoundaryState {
  readonly at: Location;
  readonly failed?: { readonly error: unknown } | undefined;
}

class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { at: this.props.at };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failed: { error } };
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return at === state.at ? null : { at, failed: undefined };
  }

  override render() {
    const { failed } = this.state;
    return failed === undefined ? this.props.children : this.props.instead(failed.error);
  }
}

/** The screen inside header and menu; after an error, an explanation and what to do. */
export function PageOrError() {
  return (
    <ErrorBoundary at={useLocation()} instead={(error) => <ErrorPage error={error} />}>
      <Outlet />
    </ErrorBoundary>
  );
}

/** Like {@link PageOrError}, around the whole application. */
export function ScreenOrError({ at, children }: Pick<BoundaryProps, 'at' | 'children'>) {
  const instead = (error: unknown) => (
    <Box component="main" p="md">
      <ErrorPage error={error} />
    </Box>
  );
  return (
    <ErrorBoundary at={at} instead={instead}>
      {children}
    </ErrorBoundary>
  );
}

function ErrorPage({ error }: { readonly error: unknown }) {
  return error instanceof OutdatedVersion ? <Reload /> : <WhatToDo error={error} />;
}

/** Loads the newer version at the requested address. */
function Reload() {
  useEffect(() => location.reload(), []);
  return <LoadingLine along="window" />;
}

function WhatToDo({ error }: { readonly error: unknown }) {
  const notLoaded = error instanceof Error && NOT_LOADED.test(error.message);
  return (
    <Center mih="60dvh">
      <PageTitle title="Something went wrong" />
      <Stack maw={420} gap="md" role="alert">
        <Title order={1}>{notLoaded ? 'This page did not load' : 'Something went wrong'}</Title>
        <Text c="dimmed">
          {notLoaded
            ? 'Check your connection, then load the page again.'
            : 'The fault is ours, and your saved work is safe. Load the page again, or go to the dashboard.'}
        </Text>
        <Group gap="sm">
          <Button onClick={() => location.reload()}>Try again</Button>
          {/* A plain link, because it restarts the application. */}
          <Button component="a" href={paths.home} variant="default">
            Go to the dashboard
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
