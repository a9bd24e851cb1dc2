import { peopleEndpoints } from '#contract/people/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { deactivatePerson, resetSecondFactor } from './people.service.ts';
import { listPeople, listPeopleOfBusiness, ownProfile } from './people-list.service.ts';
import { setRoles } from './roles.service.ts';

/** Users and their administration; server/onboarding has the form that activates them. */
export function peopleRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(peopleEndpoints.listPersons, ({ body }) => listPeople(platform, body));
  routes.byBody(peopleEndpoints.ownProfile, ownProfile);
  routes.signedIn(peopleEndpoints.businessPersons, ({ query }) => listPeopleOfBusiness(platform, query.tag));
  routes.signedIn(peopleEndpoints.deactivatePerson, async ({ caller, body }) => {
    await deactivatePerson({ platform, caller }, body.tag);
    return { success: true as const, msg: 'This person can no longer log in' };
  });
  routes.signedIn(peopleEndpoints.setRoles, async ({ caller, body }) => {
    await setRoles({ platform, caller }, body);
    return { success: true as const, msg: "This person's permissions have been saved" };
  });
  routes.signedIn(peopleEndpoints.resetSecondFactor, async ({ caller, body }) => {
    await resetSecondFactor({ platform, caller }, body.tag);
    return { success: true as const, msg: 'The second factor has been reset' };
  });
}
