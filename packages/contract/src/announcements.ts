import * as v from 'valibot'
import { extra } from './fields.ts'
import { route } from './route.ts'

export const announcement = v.object({
  title: v.string(),
  message: v.string(),
  isActive: v.boolean(),
  id: extra(v.string()),
})

export const popup = route({
  name: 'popup',
  method: 'GET',
  path: '/popup',
  access: 'session',
  summary: 'Returns the announcement, or null if there is none (API-53, API-54). Another server may return a list.',
  reply: v.nullish(v.union([announcement, v.array(announcement)])),
})
