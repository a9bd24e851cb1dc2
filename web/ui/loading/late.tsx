import { Button, Group, Loader, Text } from '@mantine/core';
import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense, useState } from 'react';
import { flushSync } from 'react-dom';

/** A part of a screen whose code loads after the screen's own. */
export interface LatePart<P> extends FunctionComponent<P> {
  /** Loads the code before the part is shown; throws if it does not load. */
  readonly arrive: () => Promise<unknown>;
}

interface Options<P> {
  /** Shown while the code loads. */
  readonly meanwhile?: ReactNode;
  /** Replaces code that does not load; by default, a message with a button to load it again. */
  readonly otherwise?: ComponentType<P>;
}

/** A part whose code `load` imports when the part is shown, or earlier by `arrive`. */
export function late<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { meanwhile = <Loader aria-label="Loading" />, otherwise = PartNotLoaded }: Options<P> = {},
): LatePart<P> {
  let arrived: ComponentType<P> | undefined;
  const arrive = async (): Promise<ComponentType<P>> => {
    arrived ??= await load();
    return arrived;
  };
  const attempt = (): ComponentType<P> =>
    lazy(async () => {
      const found = await arrive().catch(() => undefined);
      if (found === undefined) next = attempt();
      return { default: found ?? otherwise };
    });
  let next = attempt();
  function Late(props: P) {
    // Without `lazy` if it has loaded: otherwise React would still show the fallback for a moment.
    const [Part] = useState<ComponentType<P>>(() => arrived ?? next);
    return (
      <Suspense fallback={meanwhile}>
        <Part {...props} />
      </Suspense>
    );
  }
  return Object.assign(Late, { arrive });
}

/**
 * Opens a dialog whose content is a late part, once the part has loaded, so that the content's first field gets the
 * focus. If it does not load, the dialog says so.
 */
export function openLate({ arrive }: Pick<LatePart<never>, 'arrive'>, open: () => void): void {
  // At once, as a click would: otherwise the dialog takes the focus before it knows where to return it.
  void arrive()
    .catch(() => undefined)
    .then(() => flushSync(open));
}

/**
 * Chromium does not request a module again that failed to load, so the page is reloaded
 * (docs/decisions/0023-first-screen.md). It is plainer than `not-loaded.tsx`, because the login screen loads it.
 */
function PartNotLoaded() {
  return (
    <Group role="alert" gap="sm">
      <Text size="sm">This did not load.</Text>
      <Button variant="default" size="sm" onClick={() => window.location.reload()}>
        Try again
      </Button>
    </Group>
  );
}
