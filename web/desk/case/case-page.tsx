import { Anchor, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { SessionUser } from '#contract/accounts/schema.ts';
import type { Status } from '#contract/applications/lifecycle.ts';
import { deskEndpoints } from '#contract/desk/endpoints.ts';
import type { CaseFlagKind } from '#contract/desk/schema.ts';
import { sayDayAndMonth } from '#contract/time/calendar.ts';
import { DocumentViewer } from '#web/applications/documents/document-viewer.tsx';
import { showingDocuments } from '#web/applications/documents/documents.api.ts';
import { documentKeys, useViewedDocument } from '#web/applications/documents/use-viewed-document.ts';
import { invoiceQuery } from '#web/applications/invoice/invoices.api.ts';
import { useProgress } from '#web/applications/progress/progress.api.ts';
import { findNextCase } from '#web/desk/desk.api.ts';
import { isDialogOpen } from '#web/desk/desk-keys.ts';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { live } from '#web/platform/api/query-client.ts';
import { invalidate, useCall } from '#web/platform/api/use-call.ts';
import { navigate } from '#web/platform/router/history.ts';
import { Link, useIsStillHere, useParams } from '#web/platform/router/router.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import { late } from '#web/ui/loading/late.tsx';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { BusinessLink } from '#web/ui/text/business-link.tsx';
import { FactList } from '#web/ui/text/fact-list.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { StatusPill } from '#web/ui/text/status-pill.tsx';
import { CallCard } from './call-card.tsx';
import { CaseFacts } from './case-facts.tsx';
import classes from './case-page.module.css';
import { CaseRecord } from './case-record.tsx';
import { DecidedBefore, type DecidedBeforeState } from './decided-before.tsx';
import { DecisionPanel } from './decision-panel.tsx';
import type { ReadCase } from './dialog-props.ts';
import { FlagEvidence } from './flag-evidence.tsx';
import { CaseTimeline } from './timeline.tsx';
import type { Decided } from './use-case-acts.ts';

/** One case of the decision desk: documents and record, with the decision beside them. */
export function CasePage() {
  const user = useSessionUser();
  const { tag } = useParams();
  if (user === null || tag === undefined) return null;
  return <Case key={tag} tag={tag} user={user} />;
}

interface CaseProps {
  readonly tag: string;
  readonly user: SessionUser;
}

function Case({ tag, user }: CaseProps) {
  const query = useCall(deskEndpoints.loadCase, { params: { tag }, ...live });
  const subject = query.data;
  if (subject !== undefined) return <Opened subject={subject} readAt={query.dataUpdatedAt} user={user} />;
  if (query.isError) return <NotLoaded failure={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div aria-busy data-wide-screen>
      <PageTitle title="Decision Desk" />
      <Skeleton height={32} width={320} mb="md" />
      <Skeleton className={classes.leadLoading} />
      <div className={classes.screen}>
        <div className={classes.panel}>
          <Skeleton height={420} />
        </div>
        <div className={classes.documents}>
          <Skeleton height="100%" mih={384} />
        </div>
        <div className={classes.record}>
          <Skeleton height={420} />
        </div>
      </div>
    </div>
  );
}

/** Most cases are opened to be decided; payments exist only for decided ones. */
const PaymentsCard = late(async () => (await import('#web/desk/payments/payments-card.tsx')).PaymentsCard, {
  meanwhile: <Skeleton height={172} />,
});

const CollectionsCard = late(async () => (await import('#web/desk/collections/collections-card.tsx')).CollectionsCard, {
  meanwhile: <Skeleton height={172} />,
});

/** Statuses in which money moves. */
const paidStates: readonly string[] = ['Approved', 'Disbursed', 'Settled'];

interface OpenedProps extends ReadCase {
  readonly user: SessionUser;
}

function Opened({ subject, readAt, user }: OpenedProps) {
  const { tag, status, barred } = subject;
  const viewed = useViewedDocument(tag);
  const openNextCase = useOpenNextCase(user.tag);
  useFreshDocuments(status);
  const isPaid = paidStates.includes(status);
  return (
    <div data-wide-screen>
      <Heading subject={subject} />
      <CallCard subject={subject} />
      <Lead subject={subject} />
      <div className={classes.screen} data-paid={isPaid || undefined}>
        <Stack gap="sm" className={classes.panel}>
          <DecisionPanel
            subject={subject}
            readAt={readAt}
            user={user}
            documentTypes={viewed.documents.data}
            documentKeys={documentKeys(viewed)}
            onDecided={(decided) => void openNextCase(decided)}
          />
          <CaseFacts subject={subject} readAt={readAt} />
        </Stack>
        {isPaid && (
          <Stack gap="sm" className={classes.payments}>
            <PaymentsCard subject={subject} />
            {status === 'Disbursed' && <CollectionsCard tag={tag} mayAdd={barred === null} />}
          </Stack>
        )}
        <div className={classes.documents}>
          <DocumentViewer viewed={viewed} />
        </div>
        <RecordColumn subject={subject} />
      </div>
    </div>
  );
}

/** The client's new documents appear as soon as the case is in review again. */
function useFreshDocuments(status: Status): void {
  const queryClient = useQueryClient();
  const shownStatus = useRef(status);
  useEffect(() => {
    if (shownStatus.current === status) return;
    shownStatus.current = status;
    void invalidate(queryClient, showingDocuments);
  }, [queryClient, status]);
}

/**
 * After a decision: says what was done, then opens the next case, or the queue if there is none. Stays here if the
 * officer has gone elsewhere or begun something, or if the next case cannot be loaded.
 */
function useOpenNextCase(me: string) {
  const isStillHere = useIsStillHere();
  const queryClient = useQueryClient();
  return async ({ subject: { tag, client, invoiceNumber }, what }: Decided): Promise<void> => {
    const said = `${client}, invoice ${invoiceNumber}, ${what}`;
    notify(notices.caseDecided(said));
    const next = await findNextCase(queryClient, me, tag).catch(() => null);
    if (next === null || !isStillHere() || isDialogOpen()) return;
    const state = (words: string): DecidedBeforeState => ({ decided: { tag, said: words } });
    if (next !== undefined) await navigate(paths.deskCase(next.tag), { state: state(said) });
    else await navigate(paths.desk, { state: state(`${said}. Nothing else waits for you`) });
  };
}

function Heading({ subject: { client, clientTag, invoiceNumber, status, overdue } }: Pick<OpenedProps, 'subject'>) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The next case opened automatically: reading begins at its name.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header className={classes.heading}>
      <PageTitle title={`${client}, ${invoiceNumber}`} />
      <Anchor component={Link} to={paths.desk} size="sm" className={classes.back}>
        Queue
      </Anchor>
      <Title order={1} ref={heading} tabIndex={-1} className={classes.title}>
        <BusinessLink tag={clientTag}>{client}</BusinessLink> <span className={classes.number}>{invoiceNumber}</span>
      </Title>
      <StatusPill status={status} overdue={overdue} />
      <div className={classes.before}>
        <DecidedBefore />
      </div>
    </header>
  );
}

/**
 * The subject of the decision, and the buyer's payment: red if an unacknowledged flag is about it. No sum is here twice,
 * nor again among the payments.
 */
function Lead({ subject }: Pick<OpenedProps, 'subject'>) {
  const { status, buyer, buyerTag, currency, paymentDueOn, flags } = subject;
  const isOpen = (kind: CaseFlagKind): boolean =>
    flags.some((flag) => flag.kind === kind && flag.acknowledged === null);
  const sum = (value: number) => <Amount value={value} currency={currency} />;
  const by = paymentDueOn === null ? '' : ` by ${sayDayAndMonth(paymentDueOn)}`.replaceAll(' ', '\u00a0');
  const paysAll = subject.expectedCash === subject.amount;
  const isPaidOut = status === 'Disbursed' || status === 'Settled';
  return (
    <FactList
      className={classes.lead}
      facts={[
        {
          label: 'Buyer',
          value: <BusinessLink tag={buyerTag}>{buyer}</BusinessLink>,
          isAlarm: isOpen('buyerChanged'),
        },
        {
          label: paysAll ? `Face value${by && `, due${by}`}` : 'Face value',
          value: sum(subject.amount),
          isAlarm: paysAll && isOpen('dueDate'),
        },
        { label: `Advance, ${subject.tenorDays} days`, value: isPaidOut ? null : sum(subject.amountAppliedFor) },
        { label: 'Client receives', value: paidStates.includes(status) ? null : sum(subject.amountReceived) },
        {
          label: `Buyer should pay${by}`,
          value: paysAll ? null : sum(subject.expectedCash),
          isAlarm: isOpen('dueDate'),
        },
        { label: 'Coverage', value: `${subject.coveragePercent}%`, isAlarm: isOpen('coverage') },
      ]}
    />
  );
}

/** The evidence for the flags, the record, and the history of the case. */
function RecordColumn({ subject }: Pick<OpenedProps, 'subject'>) {
  const { tag } = subject;
  const invoice = useQuery(invoiceQuery(tag));
  const progress = useProgress(tag);
  return (
    <Stack gap="sm" className={classes.record}>
      <Loaded what="The invoice" query={invoice} height={420}>
        {(data) => (
          <>
            <FlagEvidence subject={subject} date={data.date} />
            <CaseRecord subject={subject} invoice={data} />
          </>
        )}
      </Loaded>
      <CaseTimeline tag={tag} progress={progress} />
    </Stack>
  );
}

/** The case does not exist or did not load. */
function NotLoaded({ failure, onRetry }: { readonly failure: Error; readonly onRetry: () => void }) {
  const missing = failure instanceof ApiFailure && failure.code === 'NOT_FOUND';
  return (
    <Stack align="flex-start" maw={480}>
      <PageTitle title={missing ? 'No such case' : 'Decision Desk'} />
      <Title order={1}>{missing ? 'No such case' : 'The case did not load'}</Title>
      <Text>{missing ? 'The application is still a draft, or the address is wrong.' : failure.message}</Text>
      {!missing && <Button onClick={onRetry}>Try again</Button>}
      <Anchor component={Link} to={paths.desk}>
        Queue
      </Anchor>
    </Stack>
  );
}
