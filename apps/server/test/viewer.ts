import type { Viewer } from '../src/http/calls/session-guard.ts'

/** A member who is signed in, for tests of the shell. */
export const memberSeven: Viewer = {
  memberId: 7n,
  publicId: 'seven',
  email: 'seven@gmail.com',
  sessionId: 1n,
  isVerified: true,
  isActive: true,
  role: 'MEMBER',
  isSpecialRcm: false,
  isStaff: false,
}
