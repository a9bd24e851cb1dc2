import { Alert, Anchor, Button, Modal, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure, callApi } from '#web/platform/api/api.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link } from '#web/platform/router/router.tsx';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { useIsPhone } from '#web/ui/theme/use-is-phone.ts';
import { AGREE, KeyFacts } from './key-facts.tsx';
import classes from './submit-modal.module.css';

interface SubmitModalProps {
  readonly opened: boolean;
  readonly invoiceTag: string;
  readonly invoiceNumber: string;
  readonly onClose: () => void;
  readonly onSubmitted: () => void;
  /** Called when the submission was refused, as the dialog says; the missing things may have to be checked again. */
  readonly onRefused: () => void;
}

/**
 * Asks for confirmation before an application is submitted, showing the key facts to agree to
 * (docs/specification-coverage.md, 4).
 */
export function SubmitModal({ opened, invoiceTag, invoiceNumber, onClose, onSubmitted, onRefused }: SubmitModalProps) {
  const isPhone = useIsPhone();
  const params = { tag: invoiceTag };
  const facts = useCall(applicationEndpoints.keyFacts, {
    params,
    staleTime: 0,
    gcTime: 0,
    // Nothing changes while somebody reads it.
    refetchOnWindowFocus: false,
    enabled: opened,
  });
  const submit = useMutation({
    mutationFn: ({ version, idempotencyKey }: Confirmation) =>
      callApi(applicationEndpoints.submitApplication, { keyFactsVersion: version }, { params, idempotencyKey }),
    onSuccess: () => {
      notify(notices.applicationSubmitted);
      onSubmitted();
    },
    onError: async (error) => {
      onRefused();
      if (isChanged(error)) await facts.refetch();
    },
  });
  function close(): void {
    if (submit.isPending) return;
    submit.reset();
    onClose();
  }
  const version = facts.isFetching ? undefined : facts.data?.version;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Submit this application?"
      size="lg"
      fullScreen={isPhone}
      // High up, where a phone's toasts don't cover the buttons.
      centered={false}
      withCloseButton={!submit.isPending}
    >
      <Stack>
        {submit.isError && <Refusal error={submit.error} />}
        <Loaded what="The key facts" query={facts} height={480}>
          {(data) => <KeyFacts facts={data} invoiceNumber={invoiceNumber} />}
        </Loaded>
        <Answers version={version} submitting={submit.isPending} onNo={close} onYes={submit.mutate} />
      </Stack>
    </Modal>
  );
}

/**
 * One confirmation is one submission, however often a bad connection makes it be sent; agreeing to other facts is a new
 * one.
 */
interface Confirmation {
  readonly version: string;
  readonly idempotencyKey: string;
}

function isChanged(error: Error): boolean {
  return error instanceof ApiFailure && error.code === 'KEY_FACTS_CHANGED';
}

/** Why the application was not submitted; gets the focus. */
function Refusal({ error }: { readonly error: Error }) {
  const isAboveLimit = error instanceof ApiFailure && error.code === 'LIMIT_EXCEEDED';
  const overdueTag = error instanceof ApiFailure ? error.answer.overdueTag : undefined;
  return (
    <Alert color="red" role="alert" title="Not submitted" tabIndex={-1} ref={takeFocus}>
      {isChanged(error)
        ? 'The key facts have changed since you opened this. Read the new ones, then agree to them.'
        : error.message}
      {isAboveLimit && (
        <>
          {'. '}
          {error.fields['application.amountAppliedFor']}.{' '}
          <Anchor component={Link} to={paths.fundingLimit} inherit underline="always">
            See your funding limit
          </Anchor>
        </>
      )}
      {typeof overdueTag === 'string' && (
        <>
          {'. '}
          <Anchor component={Link} to={paths.application(overdueTag)} inherit underline="always">
            See what to pay
          </Anchor>
        </>
      )}
    </Alert>
  );
}

function takeFocus(alert: HTMLElement | null): void {
  alert?.focus();
}

interface AnswersProps {
  /** Undefined while there is nothing to agree to. */
  readonly version: string | undefined;
  readonly submitting: boolean;
  readonly onNo: () => void;
  readonly onYes: (confirmation: Confirmation) => void;
}

function Answers({ version, submitting, onNo, onYes }: AnswersProps) {
  const [given, setGiven] = useState<Confirmation>();
  function agree(): void {
    if (version === undefined) return;
    const confirmation = given?.version === version ? given : { version, idempotencyKey: uniqueKey() };
    setGiven(confirmation);
    onYes(confirmation);
  }
  return (
    <div className={classes.answers}>
      <Button variant="default" onClick={onNo} disabled={submitting} data-autofocus>
        Not yet
      </Button>
      <Button className={classes.agree} loading={submitting} disabled={version === undefined} onClick={agree}>
        {AGREE}
      </Button>
    </div>
  );
}
