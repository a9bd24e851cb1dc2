import { Alert, Button, FileButton, Group, Text } from '@mantine/core';
import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { counted } from '#contract/counts.ts';
import {
  howToSplit,
  layouts,
  type Rail,
  railCodes,
  type StatementAccount,
  statementAccountCodes,
  statementAccounts,
} from '#contract/statements/layouts.ts';
import {
  type Imported,
  MAXIMUM_STATEMENT_BYTES,
  type Matching,
  type StatementPeriod,
  type StatementQuery,
  statementPeriod,
} from '#contract/statements/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { AccountChoice } from '#web/desk/account-choice.tsx';
import { ApiFailure } from '#web/platform/api/api.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { Columns } from '#web/ui/layout/columns.tsx';
import phone from '#web/ui/layout/phone.module.css';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { MatchingProgress } from './matching-progress.tsx';
import { useImportStatement, useMatching } from './received.api.ts';

const rails = railCodes.map((value) => ({ value, label: layouts[value].name }));
const partsOf = statementAccountCodes.map((value) => ({ value, label: statementAccounts[value] }));

const days = ['from', 'until'] as const;

/**
 * Sends the chosen file as an account's statement; `said` is the result. A refusal of the exported days shows on their
 * fields.
 */
function useSending(account: Pick<StatementQuery, 'rail' | 'currency' | 'account'>) {
  const importing = useImportStatement();
  const [said, setSaid] = useState<Said>();
  const form = useForm<StatementPeriod>({
    initialValues: { from: '', until: '' },
    validate: schemaResolver(statementPeriod),
  });
  const refuse = (name: string, error: Error): void => {
    const refused = error instanceof ApiFailure ? error.fields : {};
    if (days.every((field) => refused[field] === undefined)) {
      setSaid({ name, refusal: sayRefusal(error) });
      return;
    }
    form.setErrors({ ...refused });
    focusFirstInvalid(form, days, refused);
  };
  const choose = (file: File | null): void => {
    if (file === null) return;
    const { name, size } = file;
    const isTooLarge = size > MAXIMUM_STATEMENT_BYTES;
    const refusal = `The file is larger than 2 MB. ${howToSplit(account.rail)}`;
    setSaid(isTooLarge ? { name, refusal } : undefined);
    if (isTooLarge) return;
    importing.mutate(
      { query: { ...account, fileName: name, ...form.getValues() }, file },
      {
        onSuccess: ({ data }) => setSaid({ name, imported: data }),
        onError: (error) => refuse(name, error),
      },
    );
  };
  /** The file picker opens only when the days are given. */
  const ask = (open: () => void): void => form.onSubmit(open, (errors) => focusFirstInvalid(form, days, errors))();
  return { said, form, ask, choose, isSending: importing.isPending };
}

/** Imports a statement, and shows what happened to its lines. */
export function ImportCard() {
  const [rail, setRail] = useState<Rail>('mtn');
  const [currency, setCurrency] = useState('UGX');
  const [account, setAccount] = useState<StatementAccount>('all');
  const reset = useRef<() => void>(null);
  const { said, form, ask, choose, isSending } = useSending({ rail, currency, account });
  const matching = useMatching(said?.imported?.tag ?? null).data;
  return (
    <SectionCard title="Import a statement" padding="md" gap="sm">
      <Group align="end" gap="sm">
        <AccountChoice
          accounts={rails}
          account={rail}
          currency={currency}
          width={230}
          onChange={(nextRail, nextCurrency) => {
            setRail(nextRail);
            setCurrency(nextCurrency);
          }}
        />
        <Select
          label="Statement of"
          data={partsOf}
          value={account}
          allowDeselect={false}
          w={230}
          className={phone.wide}
          onChange={(next) => setAccount(partsOf.find(({ value }) => value === next)?.value ?? account)}
        />
      </Group>
      <ExportedDays form={form} />
      <FileButton
        resetRef={reset}
        onChange={(file) => {
          choose(file);
          // Allows the same file to be chosen again after it was corrected.
          reset.current?.();
        }}
        accept=".csv,text/csv"
        inputProps={{ 'aria-label': 'Statement' }}
      >
        {({ onClick, ...props }) => (
          <Button
            {...props}
            variant="default"
            onClick={() => ask(onClick)}
            loading={isSending}
            style={{ alignSelf: 'start' }}
          >
            Choose the file
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        CSV as your account exports it. You can send the same days again: each line counts once.
      </Text>
      <div role="status">{said !== undefined && <Outcome {...said} matching={matching} />}</div>
      {/* Outside the status region, so that a screen reader announces the result and not every step. */}
      {matching?.finished === null && <MatchingProgress {...matching} />}
    </SectionCard>
  );
}

function ExportedDays({ form }: { readonly form: UseFormReturnType<StatementPeriod> }) {
  const latest = kampalaDate(new Date());
  return (
    <div>
      <Columns gap="sm" maw={342}>
        <DateField label="First day" required latest={latest} {...form.getInputProps('from')} />
        <DateField label="Last day" required latest={latest} {...form.getInputProps('until')} />
      </Columns>
      <Text size="sm" c="dimmed" mt="xxs">
        The days you exported, also those without payments.
      </Text>
    </div>
  );
}

interface Said {
  readonly name: string;
  readonly imported?: Imported;
  readonly refusal?: string;
}

function Outcome({ name, imported, refusal, matching }: Said & { readonly matching: Matching | undefined }) {
  if (imported === undefined)
    return (
      <Alert color="red" variant="light" title={`${name} was not imported`}>
        {refusal}
      </Alert>
    );
  const { tag, lines, before, contradicting } = imported;
  const isNew = lines > before + contradicting;
  const color = contradicting > 0 ? 'yellow' : isNew ? 'green' : 'gray';
  const same = isNew ? `${name} is imported` : 'Nothing is new';
  return (
    <Alert
      color={color}
      variant="light"
      title={contradicting > 0 ? `${name} disagrees with an earlier statement` : same}
    >
      {sayImported(imported, tag === null ? NOTHING_TO_MATCH : matching)}
    </Alert>
  );
}

/** For a file that was imported before. */
const NOTHING_TO_MATCH: Matching = { toMatch: 0, matched: 0, finished: { toAssign: 0, paid: 0 } };

/** The result of an import, in words. */
function sayImported(imported: Imported, matching: Matching | undefined): string {
  const { lines, before, contradicting, left, sent, known, repeats, toMatch } = imported;
  const finished = matching?.finished ?? undefined;
  const parts = [
    ...(matching === undefined || finished === undefined
      ? [`${toMatch} to match`]
      : [`${matching.matched} matched`, `${finished.toAssign} to assign`]),
    ...(known > 0 ? [`${known} recorded before by an officer`] : []),
    ...(sent > 0 ? [`${sent} sent`] : []),
    ...(finished !== undefined && finished.paid > 0 ? [`${counted(finished.paid, 'payout')} paid`] : []),
    ...(left > 0 ? [`${left} left out because no money moved`] : []),
    `${before} counted before`,
    ...(repeats > 0 ? [`${repeats} perhaps counted before`] : []),
    ...(contradicting > 0 ? [`${contradicting} unlike an earlier statement`] : []),
  ];
  const more = contradicting > 0 ? ' Reconciliation shows both statements. Compare them.' : '';
  return `${counted(lines, 'line')}: ${parts.join(', ')}.${more}`;
}

function sayRefusal(error: Error): string {
  const at = error instanceof ApiFailure ? Object.values(error.fields)[0] : undefined;
  return at === undefined ? error.message : `${at}. ${error.message}.`;
}
