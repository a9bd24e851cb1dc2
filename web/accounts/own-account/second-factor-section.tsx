import { Alert, Button, Card, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { RECOVERY_CODES, type SecondFactor } from '#contract/own-account/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { ProveStep, RecoveryCodes, ScanStep } from './second-factor-setup.tsx';

interface SecondFactorSectionProps {
  readonly username: string;
  /** Undefined while it loads. */
  readonly secondFactor: SecondFactor | undefined;
}

/** A staff member's second factor: its state, and how to set it up (docs/decisions/0017). */
export function SecondFactorSection({ username, secondFactor }: SecondFactorSectionProps) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <Card component="section" aria-labelledby="second-factor-heading">
      <Stack gap="md" align="flex-start">
        <Title order={2} id="second-factor-heading">
          Second Factor
        </Title>
        {secondFactor === undefined ? <Loading /> : <Standing secondFactor={secondFactor} onSetUp={dialog.open} />}
      </Stack>
      {secondFactor !== undefined && (
        <SetUp opened={opened} onClose={dialog.close} username={username} replaces={secondFactor.setUpAt !== null} />
      )}
    </Card>
  );
}

function Loading() {
  return (
    <>
      <Skeleton height={16} width="80%" />
      <Skeleton height={42} width={160} />
    </>
  );
}

interface StandingProps {
  readonly secondFactor: SecondFactor;
  readonly onSetUp: () => void;
}

function Standing({ secondFactor: { needed, setUpAt, recoveryCodesLeft }, onSetUp }: StandingProps) {
  if (setUpAt === null || needed) {
    return (
      <>
        {needed && (
          <Alert color="yellow" w="100%">
            <Text>Your role asks for a second factor. Set it up to continue.</Text>
          </Alert>
        )}
        <Text>
          Your password alone will not let anybody in. At each login your app shows a 6-digit code, even offline.
        </Text>
        <Button onClick={onSetUp} variant={needed ? 'filled' : 'default'}>
          Set up
        </Button>
      </>
    );
  }
  return (
    <>
      <Text>
        An authenticator app is set up since {formatFormDate(setUpAt)}. {recoveryCodesLeft} of {RECOVERY_CODES} recovery
        codes are left.
      </Text>
      <Group gap="md">
        <Button variant="default" onClick={onSetUp}>
          Set up again
        </Button>
        <Text size="sm" c="dimmed">
          For another phone, or for new recovery codes.
        </Text>
      </Group>
    </>
  );
}

type Step =
  | { readonly name: 'prove'; readonly reason?: string }
  | { readonly name: 'scan'; readonly secret: string; readonly uri: string }
  | { readonly name: 'keep'; readonly codes: readonly string[] };

const titles = {
  prove: 'Set up a second factor',
  scan: 'Add it to your app',
  keep: 'Keep your recovery codes',
} as const;

interface SetUpProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly username: string;
  readonly replaces: boolean;
}

/**
 * The three steps. Clicking outside the dialog does not close it; at the last step only confirming that the codes are
 * kept does.
 */
function SetUp({ opened, onClose, username, replaces }: SetUpProps) {
  const [step, setStep] = useState<Step>({ name: 'prove' });
  const isLast = step.name === 'keep';
  const kept = () => {
    onClose();
    notify(notices.secondFactorSetUp);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setStep({ name: 'prove' })}
      title={titles[step.name]}
      closeOnClickOutside={false}
      closeOnEscape={!isLast}
      withCloseButton={!isLast}
    >
      {step.name === 'prove' && (
        <ProveStep
          username={username}
          replaces={replaces}
          reason={step.reason}
          onBegun={({ secret, uri }) => setStep({ name: 'scan', secret, uri })}
        />
      )}
      {step.name === 'scan' && (
        <ScanStep
          begun={step}
          onEnded={(reason) => setStep({ name: 'prove', reason })}
          onConfirmed={(codes) => setStep({ name: 'keep', codes })}
        />
      )}
      {isLast && <RecoveryCodes codes={step.codes} onKept={kept} />}
    </Modal>
  );
}
