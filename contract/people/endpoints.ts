import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { byTag } from '#contract/fields.ts';
import { personRow, personsBody, rolesBody } from './schema.ts';

/** The reply to a change of a person. */
export const updated = z.strictObject({ success: z.literal(true), msg: z.string() });

/** Users and their administration. */
export const peopleEndpoints = {
  listPersons: endpoint({
    method: 'POST',
    path: '/persons',
    aliases: [{ method: 'POST', path: '/persons/all-persons' }],
    summary: 'A page of users, searched by name, phone, email and business',
    body: personsBody,
    reply: z.array(personRow),
    needs: 'people.list',
    changes: false,
  }),
  deactivatePerson: endpoint({
    method: 'POST',
    path: '/persons/deactivate',
    summary: "End a person's sessions and bar their login",
    body: byTag,
    reply: updated,
    needs: 'people.deactivate',
  }),
  setRoles: endpoint({
    method: 'POST',
    path: '/persons/roles',
    summary: "Set a person's permissions",
    body: rolesBody,
    reply: updated,
    needs: 'people.setRoles',
  }),
  resetSecondFactor: endpoint({
    method: 'POST',
    path: '/persons/reset_second_factor',
    summary: "Take a person's second factor away and end their sessions",
    body: byTag,
    reply: updated,
    needs: 'people.resetSecondFactor',
  }),
  ownProfile: endpoint({
    method: 'GET',
    path: '/persons/profile',
    summary: "The caller's own person row",
    reply: personRow,
    needs: 'session',
  }),
  businessPersons: endpoint({
    method: 'GET',
    path: '/businesses/persons',
    summary: 'The person rows of a business',
    query: byTag,
    reply: z.array(personRow),
    needs: 'businesses.people',
  }),
} as const;
