import { Text } from '@mantine/core';
import { peopleEndpoints } from '#contract/people/endpoints.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { Dotted } from '#web/ui/text/dotted.tsx';
import { givenName, nameOf } from '#web/ui/text/person-name.ts';
import ruled from '#web/ui/text/ruled-list.module.css';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { StatusPill } from '#web/ui/text/status-pill.tsx';

/** The people of a business: name, number, and whether they may act for it. */
export function BusinessPeople({ businessTag }: { readonly businessTag: string }) {
  const people = useCall(peopleEndpoints.businessPersons, { query: { tag: businessTag }, staleTime: 0 });
  return (
    <SectionCard title="People" padding="md" gap={0}>
      <Loaded what="The people" query={people} height={72}>
        {(listed) =>
          listed.length === 0 ? (
            <Text size="sm">Nobody acts for this business on Kasente.</Text>
          ) : (
            <ul className={ruled.list}>
              {listed.map((person) => (
                <li key={person.tag}>
                  <div>
                    <b>{nameOf(person)}</b>
                    <Text size="sm">
                      <Dotted parts={[person.phone, person.email, givenName(person.designation) || null]} />
                    </Text>
                  </div>
                  <StatusPill status={person.status} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </SectionCard>
  );
}
