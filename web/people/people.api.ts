import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { type Option, option } from '#contract/fields.ts';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { peopleEndpoints } from '#contract/people/endpoints.ts';
import type { PersonSort, PersonStatus, rolesBody, updatePersonBody } from '#contract/people/schema.ts';
import { PAGE_SIZE } from '#contract/product.ts';
import { callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';
import { keyOf } from '#web/platform/api/query-key.ts';
import { invalidate, useCall } from '#web/platform/api/use-call.ts';
import { readStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';

interface PersonsAsked {
  readonly page: number;
  readonly searchPhrase: string;
  readonly status: PersonStatus | null;
  readonly sort: PersonSort | null;
}

/**
 * A page of users, those who wait for activation first. Every search and page turn loads it again
 * (docs/specification-coverage.md, 4).
 */
export function usePersons(asked: PersonsAsked) {
  return useCall(peopleEndpoints.listPersons, {
    body: { ...asked, size: PAGE_SIZE, status: asked.status ?? '', sort: asked.sort ?? '' },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/**
 * Every client, kept on the device under ALL_BUSINESSES so that the select opens at once
 * (docs/specification-coverage.md, 3).
 */
export function useClients() {
  return useQuery<Option[]>({
    queryKey: keyOf(businessEndpoints.clientProfiles),
    queryFn: async (context) => {
      const clients = await callApi(businessEndpoints.clientProfiles, undefined, queryCall(context));
      writeStored(storageKeys.allBusinesses, clients);
      return clients;
    },
    placeholderData: () => readStored(storageKeys.allBusinesses, (value) => option.array().safeParse(value).data),
  });
}

function usePersonsChange<Body>(change: (body: Body) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      // The list of businesses shows how many people each has.
      void invalidate(client, [businessEndpoints.listBusinesses]);
      await invalidate(client, [peopleEndpoints.listPersons]);
    },
    // Refused because somebody else was faster: the list then shows their change.
    onError: () => void invalidate(client, [peopleEndpoints.listPersons]),
  });
}

/** Updates a person, and activates one who waits for it. */
export function useUpdatePerson() {
  return usePersonsChange((body: z.input<typeof updatePersonBody>) => callApi(onboardingEndpoints.updatePerson, body));
}

/** Ends a person's sessions and bars their login. */
export function useDeactivatePerson() {
  return usePersonsChange((tag: string) => callApi(peopleEndpoints.deactivatePerson, { tag }));
}

/** Resets a person's second factor; for administrators. */
export function useResetSecondFactor() {
  return usePersonsChange((tag: string) => callApi(peopleEndpoints.resetSecondFactor, { tag }));
}

/** Sets a person's permissions; for administrators. */
export function useSetRoles() {
  return usePersonsChange((body: z.input<typeof rolesBody>) => callApi(peopleEndpoints.setRoles, body));
}
