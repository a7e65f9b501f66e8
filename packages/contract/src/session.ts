import * as v from 'valibot'
import { nothing, route } from './route.ts'

/** Two routes that every signed-in page uses; separate from auth.ts, so that pages do not load the sign-in forms. */

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
