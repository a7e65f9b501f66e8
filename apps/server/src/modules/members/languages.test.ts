import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sources from '@tizara/languages/sources' with { type: 'json' }
import { beforeAll, expect, it } from 'vitest'
import { type AuthTestApp, authTestApp, freshEmail } from '../../../test/auth-app.ts'
import { createTestMember } from '../../../test/members.ts'
import { memberByEmail } from './index.ts'

let app: AuthTestApp
beforeAll(async () => {
  app = await authTestApp()
  const folder = path.join(app.deps.config.dataDir, 'languages')
  mkdirSync(folder)
  const texts = Object.fromEntries(sources.app.map((source) => [source, source]))
  const xx = { language: 'xx', name: 'Test', direction: 'rtl', reviewed: false, texts }
  writeFileSync(path.join(folder, 'xx.json'), JSON.stringify(xx))
})

const signIn = async () => {
  const member = await createTestMember(app.db)
  return (await app.signIn(member.id)).token
}
const choose = (token: string | undefined, body: unknown) => app.call('PUT', '/profile/language', { token, body })
const chosen = async (token: string) => (await app.call('GET', '/profile', { token })).body.data.language

it('lists the languages without a session, English first', async () => {
  const { status, body } = await app.call('GET', '/languages')
  expect(status).toBe(200)
  expect(body.data[0]).toEqual({ language: 'en', name: 'English', direction: 'ltr', reviewed: true, address: '' })
  expect(body.data).toContainEqual({
    language: 'xx',
    name: 'Test',
    direction: 'rtl',
    reviewed: false,
    address: expect.stringMatching(/^\/languages\/xx\.arrival\.[0-9a-f]{16}\.json$/),
  })
})

it('sets and clears the language of the member alone', async () => {
  const [token, other] = [await signIn(), await signIn()]
  expect(await chosen(token)).toBeNull()
  for (const language of ['xx', 'en', null]) {
    expect(await choose(token, { language })).toMatchObject({ status: 200, body: { data: { language } } })
    expect(await chosen(token)).toBe(language)
  }
  await choose(token, { language: 'xx' })
  expect(await chosen(other)).toBeNull()
})

it.each([
  [{ language: 'yy' }],
  [{ language: 'XX' }],
  [{ language: '../xx' }],
  [{ language: '' }],
  [{ language: ['xx'] }],
  [{}],
  [{ language: 'xx', name: 'A' }],
])('rejects %j and changes nothing', async (body) => {
  const token = await signIn()
  await choose(token, { language: 'xx' })
  expect((await choose(token, body)).status).toBe(400)
  expect(await chosen(token)).toBe('xx')
})

it('rejects a choice without a session', async () => {
  expect((await choose(undefined, { language: 'xx' })).status).toBe(401)
})

it('stores the language of a sign-up: the cookie, else Accept-Language, and nothing for English', async () => {
  const signUp = async (headers: Record<string, string>) => {
    const email = freshEmail()
    const body = { name: 'Ada Byron', email, phone: '+12025550143', password: 'violet-harbour-93' }
    expect((await app.call('POST', '/limit/auth/register', { body, headers })).status).toBe(200)
    return (await memberByEmail(app.db, email))?.language
  }
  expect(await signUp({ cookie: 'language=xx', 'accept-language': 'en' })).toBe('xx')
  expect(await signUp({ 'accept-language': 'xx-YY,en;q=0.5' })).toBe('xx')
  expect(await signUp({ cookie: 'language=en', 'accept-language': 'xx' })).toBeNull()
  expect(await signUp({})).toBeNull()
})

it('keeps the language of a sign-up that replaces an unfinished one', async () => {
  const email = freshEmail()
  const body = { name: 'Ada Byron', email, phone: '+12025550143', password: 'violet-harbour-93' }
  await app.call('POST', '/limit/auth/register', { body })
  await app.call('POST', '/limit/auth/register', { body, headers: { 'accept-language': 'xx' } })
  await app.runJobs()
  const token = app.mails.linkTokenFor(email)
  expect((await app.call('POST', '/auth', { token })).status).toBe(200)
  expect((await memberByEmail(app.db, email))?.language).toBe('xx')
})
