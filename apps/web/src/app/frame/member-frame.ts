/** Member pages' frame, loaded as one chunk. */
export { default as MemberLayout } from './member-layout.tsx'
export { default as SessionGate } from '../session-gate.tsx'
export { prefetchProfile } from '../prefetch.ts'
