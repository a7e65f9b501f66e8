export { profileQuery, useProfile } from './profile.queries.ts'
