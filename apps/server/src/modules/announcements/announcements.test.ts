import { beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { announcementRoutes, publishAnnouncement } from './index.ts'

let at: TestApp
let token: string

beforeAll(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, { routes: (bind) => announcementRoutes(bind) })
  const unverified = await createTestMember(db, { verified: false })
  token = (await at.signIn(unverified.id)).token
})

it('[API-53] [API-54] [EN-19] [RO-16] answers null, then the newest announcement, to unverified members too', async () => {
  expect((await at.call('GET', '/popup', { token })).body).toMatchObject({ success: true, data: null })
  const publish = (title: string, isActive: boolean) =>
    at.db.transaction().execute((tx) => publishAnnouncement(tx, { title, message: 'Text', isActive, decidedBy: null, at: at.clock.now() }))
  await publish('First', true)
  await publish('Second', false)
  expect((await at.call('GET', '/popup', { token })).body.data).toMatchObject({ title: 'Second', message: 'Text', isActive: false })
})
