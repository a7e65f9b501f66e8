import type { Viewer } from '../src/http/calls/session-guard.ts'

/** Signed-in member for request handler tests. */
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
