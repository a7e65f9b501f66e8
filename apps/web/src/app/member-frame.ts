/** What stands around every page of a member, fetched as one. */
export { default as MemberLayout } from './member-layout.tsx'
export { default as SessionGate } from './session-gate.tsx'
export { firstLook } from './first-look.ts'
