import * as v from 'valibot'
import { nothing, route } from './route.ts'

/** Two routes that every signed-in page uses. The file is separate from auth.ts, so that pages do not load the sign-in forms. */

export const refreshToken = route({
  name: 'refreshToken',
  method: 'POST',
  path: '/auth/refresh-token',
  access: 'public',
  summary: 'Issues a new access token for the refresh cookie and rotates the cookie (API-20, API-21).',
  reply: v.object({ accessToken: v.string() }),
  errors: ['UNAUTHENTICATED'],
})

export const logOut = route({
  name: 'logOut',
  method: 'POST',
  path: '/auth/log-out',
  access: 'public',
  summary: 'Ends the session of the token or cookie and clears the cookie. Always succeeds (API-23, API-24).',
  reply: nothing,
})
