import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { isEditable } from '#contract/applications/lifecycle.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { may } from '#contract/permissions.ts';
import { type OpenTyping, openTyping } from '#web/applications/draft/kept-typing.ts';
import { invoiceQuery } from '#web/applications/invoice/invoices.api.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { invalidate } from '#web/platform/api/use-call.ts';
import { currentPlace, navigate } from '#web/platform/router/history.ts';
import { Link, Navigate, useLocation, useParams } from '#web/platform/router/router.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { DraftScreen } from './draft-screen.tsx';
import { RecordScreen } from './record-screen.tsx';
import { LoadingScreen } from './screen-layout.tsx';

/** State that one screen passes to the next through the history. */
const handedOver = z.object({
  /** Set when a new application just got its address: it stays the same screen. */
  continues: z.string().optional(),
  /** For a new application: other drafts, which are left to be saved in the background. */
  besides: z.array(z.string()).default([]),
});

/**
 * The invoice-and-application screen: a new one, or an existing one if there is a tag (docs/specification-coverage.md,
 * 2). A person who may open neither is sent to the dashboard.
 */
export function ApplicationPage() {
  const user = useSessionUser();
  const { tag } = useParams();
  const location = useLocation();
  const { continues, besides } = handedOver.safeParse(location.state).data ?? handedOver.parse({});
  const screen = continues ?? tag ?? location.key;
  if (user === null || !may(user, tag === undefined ? 'invoices.edit' : 'invoices.view'))
    return <Navigate to={paths.home} replace />;
  return <ApplicationScreen key={screen} tag={tag} screen={screen} user={user} besides={besides} />;
}

interface ApplicationScreenProps {
  readonly tag: string | undefined;
  readonly screen: string;
  readonly user: SessionUser;
  readonly besides: readonly string[];
}

/** The state that the screen was opened with. Each time it is opened again, the generation changes. */
interface Opened {
  readonly tag: string | undefined;
  readonly latest?: LoadedInvoice | undefined;
  readonly justSubmitted?: boolean;
  readonly generation: number;
}

function ApplicationScreen({ tag, screen, user, besides: asked }: ApplicationScreenProps) {
  const location = useLocation();
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState<Opened>({ tag, generation: 0 });
  // Kept from when the screen was opened, because its address may change.
  const [besides] = useState(asked);
  const query = useQuery({
    ...invoiceQuery(opened.tag ?? ''),
    enabled: opened.tag !== undefined && opened.latest === undefined,
  });

  /** Opens the screen again. Without `latest`, the invoice is fetched. */
  function begin({ tag: invoiceTag, ...next }: Omit<Opened, 'generation'>): void {
    // The cached version is older than the server's.
    if (invoiceTag !== undefined && next.latest === undefined)
      queryClient.removeQueries({ queryKey: invoiceQuery(invoiceTag).queryKey });
    setOpened(({ generation }) => ({ tag: invoiceTag, ...next, generation: generation + 1 }));
  }

  /** Shows the server's current state, without a flicker if it arrives quickly. */
  async function reopen(invoiceTag: string | undefined): Promise<void> {
    const ask = (known: string) => queryClient.fetchQuery({ ...invoiceQuery(known), staleTime: 0, retry: false });
    const latest = invoiceTag === undefined ? undefined : await ask(invoiceTag).catch(() => undefined);
    begin({ tag: invoiceTag, latest });
  }

  /** Gives a new application its address, unless the person has gone to another screen. */
  function keepAddress(created: string): void {
    if (currentPlace().location.key !== location.key) return;
    void navigate(paths.application(created), { replace: true, state: { continues: screen } });
  }

  const invoice = opened.latest ?? query.data;
  const typing = useOpenTyping(user.tag, besides, opened);
  if (opened.tag !== undefined && invoice === undefined) {
    if (query.isError) return <NotLoaded failure={query.error} onRetry={() => void query.refetch()} />;
    return <LoadingScreen />;
  }
  const editing = may(user, 'invoices.edit');
  if (invoice !== undefined && !(editing && isEditable(invoice.discountApplication.status.name)))
    return (
      <RecordScreen invoice={invoice} justSubmitted={opened.justSubmitted === true} own={editing} userTag={user.tag} />
    );
  if (typing === undefined) return <LoadingScreen />;
  return (
    <DraftScreen
      key={opened.generation}
      loaded={invoice}
      typing={typing}
      besides={besides}
      screen={screen}
      owner={{ userTag: user.tag, businessTag: user.bizTag ?? '' }}
      onCreated={keepAddress}
      onReopen={(invoiceTag) => void reopen(invoiceTag)}
      onSubmitted={(invoiceTag) => {
        void invalidate(queryClient, [invoiceEndpoints.listInvoices]);
        // At once, so that it cannot be edited or submitted again.
        begin({ tag: invoiceTag, justSubmitted: true });
      }}
    />
  );
}

/** This screen's kept typing, once the device has answered. Released when the screen is left or opened again. */
function useOpenTyping(
  userTag: string,
  besides: readonly string[],
  { tag, generation }: Opened,
): OpenTyping | undefined {
  const [opened, setOpened] = useState<{ readonly generation: number; readonly typing: OpenTyping }>();
  useEffect(() => {
    const asked = openTyping({ userTag, invoiceTag: tag ?? null, besides });
    let left = false;
    void asked.then((typing) => {
      if (!left) setOpened({ generation, typing });
    });
    return () => {
      left = true;
      void asked.then(({ release }) => release());
    };
  }, [userTag, besides, tag, generation]);
  return opened?.generation === generation ? opened.typing : undefined;
}

/** The invoice does not exist or did not load. */
function NotLoaded({ failure, onRetry }: { readonly failure: Error; readonly onRetry: () => void }) {
  const missing = failure instanceof ApiFailure && failure.code === 'NOT_FOUND';
  return (
    <Stack align="flex-start" maw={480}>
      <PageTitle title={missing ? 'No such invoice' : 'Invoice'} />
      <Title order={1}>{missing ? 'This invoice does not exist' : 'The invoice did not load'}</Title>
      <Text>{missing ? 'It may have been deleted, or the address is not complete.' : failure.message}</Text>
      {!missing && <Button onClick={onRetry}>Try again</Button>}
      <Anchor component={Link} to={paths.myApplications}>
        My Applications
      </Anchor>
    </Stack>
  );
}
