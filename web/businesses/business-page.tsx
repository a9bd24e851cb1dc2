import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import type { LoadedBusiness } from '#contract/businesses/schema.ts';
import { counted } from '#contract/counts.ts';
import { ApplicationsTable } from '#web/applications/list/applications-table.tsx';
import { ClientLimits } from '#web/businesses/limits/client-limits.tsx';
import { BusinessAccounts } from '#web/desk/payouts/business-accounts.tsx';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link, useParams, useSearchParams } from '#web/platform/router/router.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import { FormModal } from '#web/ui/forms/form-modal.tsx';
import { late, openLate } from '#web/ui/loading/late.tsx';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { FactList } from '#web/ui/text/fact-list.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { StatusPill } from '#web/ui/text/status-pill.tsx';
import classes from './business-page.module.css';
import { BusinessPeople } from './business-people.tsx';
import { kindOf } from './kinds.ts';

const BusinessForm = late(async () => (await import('./business-form.tsx')).BusinessForm);

/** Everything about one business: limits, what is out, people, payout accounts, applications as client and as buyer. */
export function BusinessPage() {
  const { tag = '' } = useParams();
  const query = useCall(businessEndpoints.loadBusiness, { params: { tag }, staleTime: 0 });
  if (query.error instanceof ApiFailure && query.error.code === 'NOT_FOUND') return <NoSuchBusiness />;
  return (
    <Loaded what="The business" query={query} height={640}>
      {(business) => <Opened key={tag} business={business} />}
    </Loaded>
  );
}

function NoSuchBusiness() {
  return (
    <Stack align="flex-start">
      <PageTitle title="No such business" />
      <Title order={1}>No such business</Title>
      <Text>The address is wrong.</Text>
      <Anchor component={Link} to={paths.businesses}>
        Businesses
      </Anchor>
    </Stack>
  );
}

function Opened({ business }: { readonly business: LoadedBusiness }) {
  const { tag, name, isClient, isBuyer } = business;
  const [params] = useSearchParams();
  return (
    <Stack gap="lg">
      <PageTitle title={name} />
      <Heading business={business} />
      <div className={classes.parts}>
        <Stack gap="md">
          {isClient && (
            <SectionCard title="Limits" padding="md">
              <ClientLimits business={business} setting={Number(params.get('limit'))} />
            </SectionCard>
          )}
          {isBuyer && <OutAsBuyer business={business} />}
        </Stack>
        <Stack gap="md">
          <BusinessPeople businessTag={tag} />
          {isClient && (
            <Card padding="md">
              <BusinessAccounts businessTag={tag} headingOrder={2} />
            </Card>
          )}
        </Stack>
      </div>
      {isClient && (
        <Applications title="Applications as client" whose="client" businessTag={tag}>
          {name} has not applied for anything yet.
        </Applications>
      )}
      {isBuyer && (
        <Applications title="Applications as buyer" whose="buyer" businessTag={tag}>
          No client has applied on an invoice to {name} yet.
        </Applications>
      )}
    </Stack>
  );
}

/** The name, what the business is, and Edit; nobody edits their own business (docs/decisions/0033). */
function Heading({ business }: { readonly business: LoadedBusiness }) {
  const [opened, dialog] = useDisclosure(false);
  const isOwn = useSessionUser()?.bizTag === business.tag;
  const { name, active, sector, district, tin, usualTermsDays, withholdsTax, withholdsVat } = business;
  const withheld = [...(withholdsTax ? ['income tax'] : []), ...(withholdsVat ? ['VAT'] : [])];
  return (
    <div>
      <Group justify="space-between" align="flex-start">
        <Group gap="sm" className={classes.name}>
          <Title order={1}>{name}</Title>
          <StatusPill status={active ? 'Active' : 'Inactive'} />
        </Group>
        {isOwn ? (
          <Text c="dimmed">Your own business</Text>
        ) : (
          <Button
            variant="default"
            leftSection={<IconPencil size={18} aria-hidden />}
            onClick={() => openLate(BusinessForm, dialog.open)}
          >
            Edit Business
          </Button>
        )}
      </Group>
      <FactList
        className={classes.facts}
        facts={[
          { label: 'Kind', value: kindOf(business) },
          { label: 'Sector', value: sector },
          { label: 'District', value: district },
          { label: 'TIN', value: tin },
          { label: 'Usually pays after', value: usualTermsDays === null ? null : counted(usualTermsDays, 'day') },
          { label: 'Withholds', value: withheld.length === 0 ? null : withheld.join(' and ') },
        ]}
      />
      <FormModal opened={opened} onClose={dialog.close} title="Edit Business">
        <BusinessForm business={business} onClose={dialog.close} />
      </FormModal>
    </div>
  );
}

function OutAsBuyer({ business: { outAsBuyer } }: { readonly business: LoadedBusiness }) {
  return (
    <SectionCard title="Out on invoices to this buyer" padding="md">
      {outAsBuyer.length === 0 && <Text size="sm">Nothing is out.</Text>}
      {outAsBuyer.map(({ currency, outstanding }) => (
        <Text key={currency} fz="lg" fw={700}>
          <Amount value={outstanding} currency={currency} />
        </Text>
      ))}
    </SectionCard>
  );
}

interface ApplicationsProps {
  readonly title: string;
  readonly whose: 'client' | 'buyer';
  readonly businessTag: string;
  /** Shown if there are none. */
  readonly children: ReactNode;
}

function Applications({ title, children, ...list }: ApplicationsProps) {
  const id = useId();
  return (
    <Stack component="section" gap="sm" aria-labelledby={id}>
      <ApplicationsTable
        {...list}
        label={title}
        heading={
          <Title order={2} id={id}>
            {title}
          </Title>
        }
        empty={<Text>{children}</Text>}
      />
    </Stack>
  );
}
