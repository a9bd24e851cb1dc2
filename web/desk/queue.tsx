import { Alert, Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type DeskCounts, type QueueRow, type QueueView, queueViewNames } from '#contract/desk/schema.ts';
import { useSearchParams } from '#web/platform/router.tsx';
import { formatCount } from '#web/ui/counts.ts';
import { NothingFound } from '#web/ui/list-tools.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { useListState } from '#web/ui/url-state.ts';
import { useCaseAct, useDeskCounts, useQueue, useUnderWay } from './desk.api.ts';
import classes from './desk.module.css';
import type { DeskKey } from './desk-keys.ts';
import { DeskKeys } from './keys-help.tsx';
import { QueueTable } from './queue-table.tsx';
import { QueueViews } from './queue-views.tsx';
import { useSteadyRows } from './steady-rows.ts';

/** What stands in the place of a queue in which there is nothing. */
const emptyViews: Readonly<Record<QueueView, string>> = {
  undecided: 'Nothing waits for a decision. New applications appear here by themselves.',
  mine: 'You have taken no case. Take the one with the least time left.',
  free: 'Somebody has taken every case that waits.',
  dueSoon: 'Nothing is due within the hour.',
  late: 'Nothing is late.',
  secondApproval: 'No case waits for a second approval.',
  toDisburse: 'Nothing has to be paid out.',
  disbursed: 'No advance is paid out and not paid back.',
  overdue: 'No advance is overdue.',
  decidedThisMonth: 'Nothing has been decided this month.',
};

/** The queues of the desk: what waits, for how long still, and who has it. The address says which one is shown. */
export function Queue({ me }: { readonly me: string }) {
  const list = useListState('');
  const [params] = useSearchParams();
  const view = queueViewNames.find((name) => name === params.get('view')) ?? 'undecided';
  const counts = useDeskCounts();
  const query = useQueue({ view, page: list.page, searchPhrase: list.search });
  const steady = useAttention();
  const { rows, newRows, showLatest, amend } = useSteadyRows(
    query.data,
    `${view} ${list.page} ${list.search} ${query.isPlaceholderData}`,
    steady.held,
  );
  const hold = useHold(me, amend);
  const take = (): void => {
    const row = rows?.find(({ tag }) => tag === focusedCase());
    if (row?.holder === null && row.firstApprovalBy?.tag !== me) hold.act(row);
  };
  return (
    <>
      <QueueHead counts={counts.data} keys={queueKeys(take)} />
      <QueueViews current={view} counts={counts.data} />
      <Group justify="space-between" gap="sm" mih={42}>
        <div className={classes.search}>
          <SearchBox label="Search client, buyer or invoice" value={list.search} onSearch={list.setSearch} />
        </div>
        <div role="status">{newRows > 0 && <NewRows count={newRows} onShow={showLatest} />}</div>
      </Group>
      <Refusals said={hold.refusals} onClose={hold.forget} />
      <div {...steady.watch} className={classes.queue}>
        <QueueTable
          view={view}
          query={{ ...query, data: rows }}
          readAt={query.dataUpdatedAt}
          me={me}
          page={list.page}
          onPage={list.setPage}
          onHold={hold.act}
          holding={hold.under}
          empty={
            list.search === '' ? (
              <Text>{emptyViews[view]}</Text>
            ) : (
              <NothingFound state={list}>No case matches.</NothingFound>
            )
          }
        />
      </div>
    </>
  );
}

/** Whether somebody points at the list or has the focus in it. */
function useAttention() {
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

/** Why cases could not be taken or given back. */
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

/** Takes cases or gives them back, from their rows; several can be under way. */
function useHold(me: string, amend: (tag: string, change: Pick<QueueRow, 'holder'>) => void) {
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const under = useUnderWay().map(({ tag }) => tag);
  const hold = useCaseAct({
    // Of oneself no name is shown.
    onSuccess: (_, { tag, act }) => amend(tag, { holder: act.name === 'take' ? { tag: me, name: 'you' } : null }),
    onError: (error, { caseName }) => setRefusals((said) => [...said, `${caseName}: ${error.message}`]),
  });
  return {
    refusals,
    forget: () => setRefusals([]),
    under,
    act: ({ tag, holder, client, invoiceNumber }: QueueRow): void => {
      if (under.includes(tag)) return;
      setRefusals([]);
      const name = holder?.tag === me ? 'release' : 'take';
      hold.mutate({ tag, act: { name }, caseName: `${client}, invoice ${invoiceNumber}` });
    },
  };
}

interface QueueHeadProps {
  readonly counts: DeskCounts | undefined;
  readonly keys: readonly DeskKey[];
}

/** 'Queue · 7 waiting · 2 due within the hour', and the keys. */
function QueueHead({ counts, keys }: QueueHeadProps) {
  const { undecided, dueSoon } = counts ?? { undecided: 0, dueSoon: 0 };
  return (
    <Group justify="space-between" gap="xs">
      <Title order={1} className={classes.heading}>
        Queue
        {/* It takes its room before it is known, or everything below would move. */}
        <span className={classes.headingCounts} data-unknown={counts === undefined || undefined}>
          {` · ${formatCount(undecided)} waiting · ${formatCount(dueSoon)} due within the hour`}
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
    { key: 't', what: 'Take the case that has the focus', act: take },
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

/** From nowhere, `j` begins with the first case and `k` with the last. */
function moveFocus(by: 1 | -1): void {
  const links = caseLinks();
  const at = links.findIndex((link) => link.dataset.case === focusedCase());
  const next = at === -1 ? (by === 1 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by));
  links[next]?.focus();
}
