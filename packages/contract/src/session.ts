import * as v from 'valibot'
import { nothing, route } from './route.ts'

/**
 * The two calls that every signed-in page can make: apart from the others of auth.ts, so that no page loads the forms of
 * the way in for them.
 */

export const refreshToken = route({
  name: 'refreshToken',
  method: 'POST',
  path: '/auth/refresh-token',
  access: 'public',
  summary: 'A new access token for the refresh cookie, which is rotated (API-20, API-21).',
  reply: v.object({ accessToken: v.string() }),
  errors: ['UNAUTHENTICATED'],
})

export const logOut = route({
  name: 'logOut',
  method: 'POST',
  path: '/auth/log-out',
  access: 'public',
  summary: 'Ends the session of the token or cookie, if any, and clears the cookie; never refuses (API-23, API-24).',
  reply: nothing,
})
