import { Alert, Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { statusTraits } from '#contract/applications/lifecycle.ts';
import { formatCount } from '#contract/counts.ts';
import {
  type DeskCounts,
  type DeskJob,
  deskJobs,
  type QueueRow,
  type QueueView,
  queueViews,
} from '#contract/desk/schema.ts';
import { takingOf, useCaseAct, useDeskCounts, useQueue, useUnderWay } from '#web/desk/desk.api.ts';
import classes from '#web/desk/desk.module.css';
import type { DeskKey } from '#web/desk/desk-keys.ts';
import { DeskKeys } from '#web/desk/keys-help.tsx';
import { Link, useSearchParams } from '#web/platform/router/router.tsx';
import { DataTable } from '#web/ui/tables/data-table.tsx';
import { NothingFound } from '#web/ui/tables/list-tools.tsx';
import { SearchBox } from '#web/ui/tables/search-box.tsx';
import { useListState } from '#web/ui/tables/url-state.ts';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { queueColumns } from './queue-columns.tsx';
import { placeOf, queuePath } from './queue-place.ts';
import { Filters, Jobs } from './queue-views.tsx';
import { useSteadyRows } from './steady-rows.ts';

/** Shown instead of an empty list, with the next step. */
const emptyViews: Readonly<Record<QueueView, { readonly said: string; readonly next?: QueueView }>> = {
  undecided: { said: 'No case waits for a decision. New applications appear here by themselves.' },
  mine: { said: 'No case is assigned to you.', next: 'unassigned' },
  unassigned: { said: 'Every case that waits is assigned.', next: 'undecided' },
  dueSoon: { said: 'No case is due within the hour.', next: 'undecided' },
  late: { said: 'No case is late.', next: 'undecided' },
  secondOfficer: { said: 'Nothing waits for a second officer.', next: 'undecided' },
  toDisburse: { said: 'There is nothing to pay out.', next: 'surplusOwed' },
  surplusOwed: { said: 'We owe no client extra money.', next: 'toDisburse' },
  overdue: { said: 'Nothing is overdue.', next: 'dueThisWeek' },
  days1To7: { said: 'Nothing is 1 to 7 days late.', next: 'overdue' },
  days8To30: { said: 'Nothing is 8 to 30 days late.', next: 'overdue' },
  days31To60: { said: 'Nothing is 31 to 60 days late.', next: 'overdue' },
  days61To90: { said: 'Nothing is 61 to 90 days late.', next: 'overdue' },
  daysOver90: { said: 'Nothing is over 90 days late.', next: 'overdue' },
  dueThisWeek: { said: 'Nothing is due within 7 days.', next: 'disbursed' },
  disbursed: { said: 'Everything that we paid out is paid back.', next: 'settledThisMonth' },
  decidedThisMonth: { said: 'Nothing is decided this month yet.', next: 'undecided' },
  settledThisMonth: { said: 'Nothing is paid back this month yet.', next: 'disbursed' },
};

/**
 * The lists of the desk: the waiting cases, how urgent they are, and who has them. The address determines which list is
 * shown.
 */
export function Queue({ me }: { readonly me: string }) {
  const [params] = useSearchParams();
  const { job, view } = placeOf(params);
  const list = useListState('');
  const counts = useDeskCounts();
  const query = useQueue({ view, page: list.page, searchPhrase: list.search });
  const steady = useIsInUse();
  const { rows, newRows, showLatest, amend } = useSteadyRows(
    query.data?.rows,
    `${view} ${list.page} ${list.search} ${query.isPlaceholderData}`,
    steady.held,
  );
  const assignment = useAssignment(me, amend);
  const readAt = query.data?.readAt ?? 0;
  const context = { view, readAt, me, onAssign: assignment.act, assigning: assignment.under };
  const take = (): void => {
    const row = rows?.find(({ tag }) => tag === focusedCase());
    const waits = row !== undefined && statusTraits[row.status].undecided;
    if (waits && row.holder === null && row.firstApprovalBy?.tag !== me) assignment.act(row);
  };
  return (
    <>
      <QueueHead job={job} counts={counts.data} keys={queueKeys(take)} />
      <div className={classes.tools}>
        <Jobs job={job} view={view} counts={counts.data} />
        <Filters job={job} view={view} counts={counts.data} />
        <div className={classes.search}>
          <SearchBox label="Search client, buyer or invoice" value={list.search} onSearch={list.setSearch} />
        </div>
        <div role="status" className={classes.news}>
          {newRows > 0 && <NewRows count={newRows} onShow={showLatest} />}
        </div>
      </div>
      <Refusals said={assignment.refusals} onClose={assignment.forget} />
      <div {...steady.watch} className={classes.queue}>
        <DataTable
          label="Queue"
          query={{ ...query, data: rows }}
          columns={queueColumns(context)}
          rowKey={(row) => row.tag}
          list={list}
          empty={
            list.search === '' ? <Empty view={view} /> : <NothingFound state={list}>No case matches.</NothingFound>
          }
        />
      </div>
    </>
  );
}

function Empty({ view }: { readonly view: QueueView }) {
  const { said, next } = emptyViews[view];
  return (
    <>
      <Text>{said}</Text>
      {next !== undefined && (
        <Button component={Link} to={queuePath(next)} variant="default">
          {`Show ‘${queueViews[next]}’`}
        </Button>
      )}
    </>
  );
}

/** Whether the pointer or the focus is in the list. */
function useIsInUse() {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const watch = {
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
  };
  return { held: pointed || focused, watch };
}

function NewRows({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <Button variant="light" size="sm" onClick={onShow}>
      {count === 1 ? 'Show 1 new case' : `Show ${count} new cases`}
    </Button>
  );
}

/** Why some cases could not be taken or released. */
function Refusals({ said, onClose }: { readonly said: readonly string[]; readonly onClose: () => void }) {
  if (said.length === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert" withCloseButton closeButtonLabel="Close" onClose={onClose}>
      {said.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Alert>
  );
}

/** Takes and releases cases from their rows; several requests can be under way. */
function useAssignment(me: string, amend: (tag: string, change: Partial<QueueRow>) => void) {
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const under = useUnderWay().map(({ tag }) => tag);
  const assign = useCaseAct({
    onSuccess: (_, { tag, act }) => amend(tag, act.name === 'take' ? assigned(me, act.startsReview) : { holder: null }),
    onError: (error, { caseName }) => setRefusals((said) => [...said, `${caseName}: ${error.message}`]),
  });
  return {
    refusals,
    forget: () => setRefusals([]),
    under,
    act: (row: QueueRow): void => {
      const { tag, holder, client, invoiceNumber } = row;
      if (under.includes(tag)) return;
      setRefusals([]);
      const act = holder?.tag === me ? ({ name: 'release' } as const) : takingOf(row);
      assign.mutate({ tag, act, caseName: `${client}, invoice ${invoiceNumber}` });
    },
  };
}

/** How a row changes when the officer takes its case. */
function assigned(me: string, startsReview: boolean): Partial<QueueRow> {
  const holder = { tag: me, name: 'you' };
  return startsReview ? { holder, status: 'In Review', mark: null } : { holder };
}

interface QueueHeadProps {
  readonly job: DeskJob;
  readonly counts: DeskCounts | undefined;
  readonly keys: readonly DeskKey[];
}

/** A job's open work in words. */
const sayCounts: Readonly<Record<DeskJob, (counts: Partial<DeskCounts>) => string>> = {
  decide: ({ undecided = 0, dueSoon = 0 }) =>
    `${formatCount(undecided)} waiting · ${formatCount(dueSoon)} due within the hour`,
  payOut: ({ toDisburse = 0 }) => `${formatCount(toDisburse)} to pay out`,
  collect: ({ overdue = 0, dueThisWeek = 0 }) =>
    `${formatCount(overdue)} overdue · ${formatCount(dueThisWeek)} due within 7 days`,
  history: ({ decidedThisMonth = 0 }) => `${formatCount(decidedThisMonth)} decided this month`,
};

/** The title, the heading, such as 'Queue · 7 waiting · 2 due within the hour', and the keys. */
function QueueHead({ job, counts, keys }: QueueHeadProps) {
  return (
    <Group justify="space-between" gap="xs">
      <PageTitle title={job === 'decide' ? 'Decision Desk' : deskJobs[job].label} />
      <Title order={1} className={classes.heading}>
        {job === 'decide' ? 'Queue' : deskJobs[job].label}
        {/* Takes up its space before it is known, so that nothing below moves. */}
        <span className={classes.headingCounts} data-unknown={counts === undefined || undefined}>
          {` · ${sayCounts[job](counts ?? {})}`}
        </span>
      </Title>
      <DeskKeys keys={keys} summary="j/k move, Enter open, t take, ? help" />
    </Group>
  );
}

function queueKeys(take: () => void): readonly DeskKey[] {
  return [
    { key: 'j', what: 'The next case', act: () => moveFocus(1) },
    { key: 'k', what: 'The case before', act: () => moveFocus(-1) },
    { key: 'Enter', what: 'Open the case' },
    { key: 't', what: 'Take the case and start its review', act: take },
  ];
}

function caseLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-case]')];
}

/** The case whose row has the focus. */
function focusedCase(): string | undefined {
  const row = document.activeElement?.closest('tr, li');
  return row?.querySelector<HTMLElement>('[data-case]')?.dataset.case;
}

/** With no row focused, `j` starts at the first case and `k` at the last. */
function moveFocus(by: 1 | -1): void {
  const links = caseLinks();
  const at = links.findIndex((link) => link.dataset.case === focusedCase());
  const next = at === -1 ? (by === 1 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by));
  links[next]?.focus();
}
