import { Button, Group, Loader, Text } from '@mantine/core';
import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense, useState } from 'react';
import { flushSync } from 'react-dom';

/** A part of a screen whose code travels after the screen's own. */
export interface LatePart<P> extends FunctionComponent<P> {
  /** Loads the code before it is shown; throws if it does not load. */
  readonly arrive: () => Promise<unknown>;
}

interface Options<P> {
  /** Stands in while the code travels. */
  readonly meanwhile?: ReactNode;
  /** Replaces code that does not load; without it, a message with the way to load it again. */
  readonly otherwise?: ComponentType<P>;
}

/** A part whose code `load` imports, when it is shown or by `arrive` before. */
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
    // Without `lazy` if it is loaded: React would show the fallback for a moment all the same.
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
 * Opens a dialog whose content is a late part, once that is there: so the content's first field gets the focus. What can't be had
 * says so in the dialog.
 */
export function openLate({ arrive }: Pick<LatePart<never>, 'arrive'>, open: () => void): void {
  // At once, as a click would: else the dialog has taken the focus before it knows where to give it back.
  void arrive()
    .catch(() => undefined)
    .then(() => flushSync(open));
}

/**
 * Chromium asks no second time for a module that did not arrive, so the page is loaded again (docs/decisions/0023-first-screen.md).
 * Plainer than `not-loaded.tsx`, because the login screen loads it.
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
