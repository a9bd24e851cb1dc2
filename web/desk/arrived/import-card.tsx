import { Alert, Button, Card, FileButton, Group, Stack, Text, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { counted } from '#contract/counts.ts';
import { layouts, type Rail, railCodes } from '#contract/statements/layouts.ts';
import { type Imported, MAXIMUM_STATEMENT_BYTES } from '#contract/statements/schema.ts';
import { AccountChoice } from '#web/desk/account-choice.tsx';
import { ApiFailure } from '#web/platform/api/api.ts';
import { useImportStatement } from './arrived.api.ts';

const rails = railCodes.map((value) => ({ value, label: layouts[value].name }));
const TOO_LARGE = 'The file is larger than 2 MB. Send a file for each day';

/** Sends a chosen file as the statement of an account; `said` is what became of it. */
function useSending(rail: Rail, currency: string) {
  const importing = useImportStatement();
  const [said, setSaid] = useState<Said>();
  const choose = (file: File | null): void => {
    if (file === null) return;
    const { name, size } = file;
    setSaid(size > MAXIMUM_STATEMENT_BYTES ? { name, refusal: TOO_LARGE } : undefined);
    if (size > MAXIMUM_STATEMENT_BYTES) return;
    importing.mutate(
      { query: { rail, currency, fileName: name }, file },
      {
        onSuccess: ({ data }) => setSaid({ name, imported: data }),
        onError: (error) => setSaid({ name, refusal: sayRefusal(error) }),
      },
    );
  };
  return { said, choose, isSending: importing.isPending };
}

/** Takes in a statement, and says what became of its lines. */
export function ImportCard() {
  const [rail, setRail] = useState<Rail>('mtn');
  const [currency, setCurrency] = useState('UGX');
  const reset = useRef<() => void>(null);
  const { said, choose, isSending } = useSending(rail, currency);
  return (
    <Card component="section" aria-labelledby="import-heading" padding="md">
      <Stack gap="sm">
        <Title order={2} id="import-heading">
          Import a statement
        </Title>
        <Group align="end" gap="sm">
          <AccountChoice
            {...{ accounts: rails, account: rail, currency, width: 230 }}
            onChange={(nextRail, nextCurrency) => {
              setRail(nextRail);
              setCurrency(nextCurrency);
            }}
          />
          <FileButton
            resetRef={reset}
            onChange={(file) => {
              choose(file);
              // The same file may be chosen again, corrected.
              reset.current?.();
            }}
            accept=".csv,text/csv"
            inputProps={{ 'aria-label': 'Statement' }}
          >
            {(props) => (
              <Button {...props} loading={isSending}>
                Choose the file
              </Button>
            )}
          </FileButton>
        </Group>
        <Text size="sm" c="dimmed">
          CSV as your account exports it. You can send the same days again: each line counts once.
        </Text>
        <div role="status">{said !== undefined && <Outcome {...said} />}</div>
      </Stack>
    </Card>
  );
}

interface Said {
  readonly name: string;
  readonly imported?: Imported;
  readonly refusal?: string;
}

function Outcome({ name, imported, refusal }: Said) {
  if (imported === undefined)
    return (
      <Alert color="red" variant="light" title={`${name} was not imported`}>
        {refusal}
      </Alert>
    );
  const isNew = imported.lines > imported.before;
  return (
    <Alert color={isNew ? 'green' : 'gray'} variant="light" title={isNew ? `${name} is imported` : 'Nothing is new'}>
      {sayImported(imported)}
    </Alert>
  );
}

/** What became of a file's lines, in words. */
function sayImported({ lines, before, left, sent, paid, known, matched, proposed, toAssign }: Imported): string {
  const parts = [
    `${matched} matched`,
    counted(proposed, 'proposal'),
    `${toAssign} to assign`,
    ...(known > 0 ? [`${known} recorded before by an officer`] : []),
    ...(sent > 0 ? [`${sent} sent`] : []),
    ...(paid > 0 ? [`${counted(paid, 'payout')} paid`] : []),
    ...(left > 0 ? [`${left} left out because no money moved`] : []),
    `${before} counted before`,
  ];
  return `${counted(lines, 'line')}: ${parts.join(', ')}.`;
}

function sayRefusal(error: Error): string {
  const at = error instanceof ApiFailure ? Object.values(error.fields)[0] : undefined;
  return at === undefined ? error.message : `${at}. ${error.message}.`;
}
