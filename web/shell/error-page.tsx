import { Box, Button, Center, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { paths } from '#web/paths.ts';
import { OutdatedVersion } from '#web/shell/load-page.ts';
import { FirstLoad } from '#web/shell/loading-bar.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';

/** How browsers name a script or its styles that did not arrive: Chrome and Firefox, Safari, Vite. */
const NOT_LOADED = /dynamically imported module|importing a module script|MIME type|unable to preload/i;

/** What stands in the place of a screen that failed: what happened and what to do. */
export function ErrorPage() {
  const error = useRouteError();
  return error instanceof OutdatedVersion ? <Reload /> : <WhatToDo error={error} />;
}

/** The same where the whole application failed, with nothing around it. */
export function ErrorScreen() {
  return (
    <Box component="main" p="md">
      <ErrorPage />
    </Box>
  );
}

/** Loads the newer version, at the address that was asked for. */
function Reload() {
  useEffect(() => location.reload(), []);
  return <FirstLoad />;
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
            : 'The fault is ours. What was saved is safe. Load the page again; if that does not help, start from the dashboard.'}
        </Text>
        <Group gap="sm">
          <Button onClick={() => location.reload()}>Load again</Button>
          {/* A plain link: it starts the application afresh. */}
          <Button component="a" href={paths.home} variant="default">
            Go to the dashboard
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
