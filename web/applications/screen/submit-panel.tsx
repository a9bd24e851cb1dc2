import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { type Figures, receivedText } from '#web/applications/terms/application-figures.ts';
import { YouReceive } from '#web/applications/terms/application-form.tsx';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import classes from './application-screen.module.css';
import type { Blocker, Done } from './blockers.ts';
import type { Refusal } from './use-submission.ts';

/** How many missing things are shown at once; the rest show on request. */
const BLOCKERS_SHOWN = { wide: 4, narrow: 1 } as const;

interface SubmitPanelProps {
  readonly figures: Figures;
  readonly currency: string | undefined;
  readonly blockers: readonly Blocker[];
  readonly count: Done | undefined;
  readonly onBlocker: (blocker: Blocker) => void;
  /** Another reason to wait, such as a save under way. */
  readonly waitingFor: string;
  /** Repeats the check that it waits for, after a failure. */
  readonly checkAgain: (() => void) | undefined;
  /** Why the server would refuse the application, when last asked. */
  readonly refusal: Refusal | undefined;
  readonly ready: boolean;
  readonly checking: boolean;
  readonly onSubmit: () => void;
}

/**
 * The form's figures, 'Submit Application' and, while it is disabled, the reason. Stays in view: beside the forms on a
 * desktop, at the lower edge on a phone.
 */
export function SubmitPanel({ figures, currency, ready, checking, onSubmit, refusal, ...why }: SubmitPanelProps) {
  return (
    <section className={classes.submit} aria-label="Submit" data-lower-edge>
      <div className={classes.submitFigure}>
        <YouReceive figures={figures} currency={currency} />
      </div>
      <div className={classes.submitAmount}>
        <span>You receive</span>
        <strong>{receivedText(figures, currency)}</strong>
      </div>
      {/* The button keeps the focus, so that the dialog that follows can return it here. */}
      <WaitingButton className={classes.submitButton} disabled={!ready} busy={checking} onClick={onSubmit}>
        Submit Application
      </WaitingButton>
      {!ready && <WhyNot {...why} />}
      {ready && refusal !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {refusal.text}
          {refusal.overdueTag !== undefined && (
            <>
              .{' '}
              <Anchor component={Link} to={paths.application(refusal.overdueTag)} inherit underline="always">
                See what to pay
              </Anchor>
            </>
          )}
        </Text>
      )}
    </section>
  );
}

type WhyNotProps = Pick<SubmitPanelProps, 'blockers' | 'count' | 'onBlocker' | 'waitingFor' | 'checkAgain'>;

function WhyNot({ blockers, count, onBlocker, waitingFor, checkAgain }: WhyNotProps) {
  const [all, setAll] = useState(false);
  if (blockers.length === 0)
    return (
      <Text size="sm" c="dimmed" component="div" className={classes.missing}>
        {waitingFor}
        {checkAgain && (
          <Anchor component="button" type="button" size="sm" onClick={checkAgain}>
            Try again
          </Anchor>
        )}
      </Text>
    );
  return (
    <div className={classes.missing} data-all={all || undefined}>
      <span>{count === undefined ? 'Next:' : `${count.done} of ${count.total} done. Next:`}</span>
      <ul aria-label="Missing">
        {blockers.map((blocker, index) => (
          <li key={`${blocker.kind} ${blocker.text}`} data-beyond={beyond(index)}>
            <Anchor component="button" type="button" size="sm" onClick={() => onBlocker(blocker)}>
              {blocker.text}
            </Anchor>
          </li>
        ))}
      </ul>
      {!all && <More count={blockers.length} onClick={() => setAll(true)} />}
    </div>
  );
}

/** On which screens the item at that position is hidden for lack of room. */
function beyond(index: number): 'narrow' | 'both' | undefined {
  if (index >= BLOCKERS_SHOWN.wide) return 'both';
  return index >= BLOCKERS_SHOWN.narrow ? 'narrow' : undefined;
}

function More({ count, onClick }: { readonly count: number; readonly onClick: () => void }) {
  return (['wide', 'narrow'] as const).map((width) => {
    const hidden = count - BLOCKERS_SHOWN[width];
    return (
      hidden > 0 && (
        <Anchor key={width} component="button" type="button" size="sm" c="dimmed" data-more={width} onClick={onClick}>
          {`and ${hidden} more`}
        </Anchor>
      )
    );
  });
}
